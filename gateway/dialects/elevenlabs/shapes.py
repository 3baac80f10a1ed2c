"""ElevenLabs' JSON: errors, voices, models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.types import Voice

_STATUS = {
    "not_text": "invalid_input_message",
    "not_json": "invalid_input_message",
    "missing_field": "invalid_input_message",
    "bad_value": "invalid_input_message",
    "unknown_voice": "voice_not_found",
    "unknown_language": "unsupported_language",
    "unsupported_format": "output_format_not_allowed",
    "too_many_contexts": "max_active_conversations",
    "overloaded": "system_busy",
    "unauthorized": "invalid_api_key",
    "message_too_large": "text_too_long",
}
_CLOSES = {"restarting": 1012, "overloaded": 1013}
POLICY = 1008

MODEL = "onset"


def status_word(code: str) -> str:
    """An error's code in the words of their service, where it has one."""
    return _STATUS.get(code, code)


def close_code(code: str) -> int:
    """The close code of an error, which its message says, too."""
    return _CLOSES.get(code, POLICY)


def socket_error(code: str, message: str) -> dict[str, Any]:
    return {"message": message, "error": status_word(code), "code": close_code(code)}


def http_error(code: str, message: str) -> dict[str, Any]:
    return {"detail": {"status": status_word(code), "message": message}}


def voice_json(voice: Voice, default: str) -> Mapping[str, object]:
    """A voice as their `GET /v1/voices/{voice_id}` has it; its id is its name."""
    language = voice.language.partition("-")[0].lower()
    verified = {"language": language, "model_id": MODEL, "accent": None, "locale": voice.language, "preview_url": None}
    return {
        "voice_id": voice.name,
        "name": voice.name,
        "samples": None,
        "category": "premade",
        "fine_tuning": None,
        "labels": {
            "language": language,
            "locale": voice.language,
            "fingerprint": voice.fingerprint,
            "default": "true" if voice.name == default else "false",
        },
        "description": None,
        "preview_url": None,
        "available_for_tiers": [],
        "settings": None,
        "sharing": None,
        "high_quality_base_model_ids": [],
        "verified_languages": [verified],
    }


def voices_json(voices: Iterable[Voice], default: str) -> dict[str, Any]:
    """What `GET /v1/voices` and `/v2/voices` answer; the second has more fields."""
    listed = [voice_json(voice, default) for voice in voices]
    return {"voices": listed, "has_more": False, "total_count": len(listed), "next_page_token": None}


def models_json(voices: Iterable[Voice], most_chars: int) -> list[dict[str, Any]]:
    """What `GET /v1/models` answers: there is one, and any `model_id` means it."""
    languages = sorted({voice.language.partition("-")[0].lower() for voice in voices})
    return [
        {
            "model_id": MODEL,
            "name": "Onset",
            "can_be_finetuned": False,
            "can_do_text_to_speech": True,
            "can_do_voice_conversion": False,
            "can_use_style": False,
            "can_use_speaker_boost": False,
            "serves_pro_voices": False,
            "token_cost_factor": 0.0,
            "description": "The voices of this server.",
            "requires_alpha_access": False,
            "maximum_text_length_per_request": most_chars,
            "languages": [{"language_id": language, "name": language} for language in languages],
        }
    ]

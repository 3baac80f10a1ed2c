"""The routes of OpenAI's speech API."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from gateway.codec import codec, content_type
from gateway.dialects import openai
from gateway.dialects.answer import AudioBody, Body, WholeWav
from gateway.dialects.http.requests import error_headers, json_body, route, status_of
from gateway.dialects.http.spoken import Hall, Spoken
from gateway.dialects.openai import Speech
from gateway.dialects.openai_voices import Voices
from gateway.errors import GatewayError


def routes(hall: Hall) -> list[BaseRoute]:
    """All of them; raises GatewayError where a voice is mapped to none that is installed."""
    engine, settings = hall.parts.engine, hall.parts.settings
    voices = Voices(settings.openai_voices, engine.voices, engine.default_voice)

    async def speech(request: Request) -> Response:
        fields = await json_body(request, settings.max_message_bytes)
        asked = openai.decode(fields, voices, engine.voices, engine.default_voice)
        headers = {"x-onset-voice": asked.voice.name}
        return Spoken(hall, asked.start, asked.text, _body(asked), refused, headers=headers, whole=asked.whole)

    async def models(request: Request) -> Response:
        return JSONResponse({"object": "list", "data": openai.models()})

    async def model(request: Request) -> Response:
        return JSONResponse(openai.model(request.path_params["model"]))

    async def listed(request: Request) -> Response:
        return JSONResponse({"voices": openai.voices_listed(voices, engine.voices)})

    return [
        route("/v1/audio/speech", speech, refused, ["POST"]),
        route("/v1/audio/voices", listed, refused, ["GET"]),
        route("/v1/models", models, refused, ["GET"]),
        route("/v1/models/{model}", model, refused, ["GET"]),
    ]


def refused(error: GatewayError) -> Response:
    """An error in OpenAI's shape."""
    # A voice that is not there is a field that is wrong, as they have it.
    status = 400 if error.code == "unknown_voice" else status_of(error)
    return JSONResponse(openai.error_fields(error, status), status, headers=error_headers(error))


def _body(asked: Speech) -> Body:
    stream = codec(asked.format, asked.voice.rate_hz, asked.rate_hz)
    sound: Body = AudioBody(stream, asked.voice.rate_hz, content_type(asked.format, asked.rate_hz))
    if asked.sse:
        return openai.SseBody(sound, asked.text)
    if asked.whole and asked.format == "wav":
        return WholeWav(codec("pcm_s16le", asked.voice.rate_hz, asked.rate_hz), asked.voice.rate_hz)
    return sound

"""ElevenLabs' routes: two sockets, speech as the answer to a request, and what a client asks before it speaks."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route, WebSocketRoute
from starlette.types import Scope
from starlette.websockets import WebSocket

from engine.types import Pace
from gateway.dialects import elevenlabs
from gateway.dialects.answer import AudioBody, Body
from gateway.dialects.dialect import Dialect
from gateway.dialects.http.requests import LATE_KEY, error_headers, json_body, route, status_of
from gateway.dialects.http.spoken import Hall, Spoken
from gateway.dialects.names import VoiceNames
from gateway.errors import GatewayError
from gateway.voicing import voicing

_PATH = "/v1/text-to-speech/{voice_id}"


def routes(hall: Hall) -> list[BaseRoute]:
    """All of them, to stand before those of others; raises GatewayError where a voice is mapped to none installed."""
    engine, settings = hall.parts.engine, hall.parts.settings
    known, default = engine.voices, engine.default_voice
    names = VoiceNames("ONSET_ELEVENLABS_VOICES", settings.elevenlabs_voices, known, default)

    async def speech(request: Request) -> Response:
        """Whoever streams may be hearing it."""
        streams, timed = "/stream" in request.url.path, request.url.path.endswith("/with-timestamps")
        part = elevenlabs.voice_of(request.path_params["voice_id"], known, names)
        body = await json_body(request, settings.max_message_bytes)
        pace = Pace.REALTIME if streams else Pace.FAST
        asked = elevenlabs.request_of(request.query_params, body, part, pace, words=timed)
        hz = voicing(asked.start, known, default).voice.rate_hz
        codec = asked.sound.codec(hz)
        answer: Body = AudioBody(codec, hz, asked.sound.content_type)
        if timed:
            answer = elevenlabs.TimedLines(codec, hz) if streams else elevenlabs.TimedWhole(codec, hz)
        headers = {"character-cost": str(len(asked.text))}
        return Spoken(hall, asked.start, asked.text, answer, refused, headers=headers, whole=timed and not streams)

    def dialect(websocket: WebSocket, kind: type[elevenlabs.StreamInput | elevenlabs.MultiStreamInput]) -> Dialect:
        try:
            part = elevenlabs.voice_of(websocket.path_params["voice_id"], known, names)
            asked = elevenlabs.asked_of(websocket.query_params, part)
            voice = voicing(asked.start, known, default).voice
            return kind(asked, voice, websocket.scope.get(LATE_KEY))
        except GatewayError as error:
            return elevenlabs.Refused(error)

    async def one(websocket: WebSocket) -> None:
        await hall.serve(websocket, dialect(websocket, elevenlabs.StreamInput))

    async def many(websocket: WebSocket) -> None:
        await hall.serve(websocket, dialect(websocket, elevenlabs.MultiStreamInput))

    async def voices(request: Request) -> Response:
        return JSONResponse(elevenlabs.voices_json(known.values(), default.name))

    async def voice(request: Request) -> Response:
        part = elevenlabs.voice_of(request.path_params["voice_id"], known, names)
        return JSONResponse(elevenlabs.voice_json(known[part.voice or default.name], default.name))

    async def models(request: Request) -> Response:
        return JSONResponse(elevenlabs.models_json(known.values(), settings.max_context_chars))

    return [
        WebSocketRoute(f"{_PATH}/stream-input", one),
        WebSocketRoute(f"{_PATH}/multi-stream-input", many),
        *(
            route(f"{_PATH}{end}", speech, refused, ["POST"])
            for end in ("", "/stream", "/with-timestamps", "/stream/with-timestamps")
        ),
        _Theirs("/v1/voices", voices, methods=["GET"]),
        _Theirs("/v1/models", models, methods=["GET"]),
        route("/v2/voices", voices, refused, ["GET"]),
        route("/v1/voices/{voice_id}", voice, refused, ["GET"]),
    ]


def refused(error: GatewayError) -> Response:
    """An error in ElevenLabs' shape."""
    return JSONResponse(
        elevenlabs.http_error(error.code, error.message), status_of(error), headers=error_headers(error)
    )


class _Theirs(Route):
    """A route for their clients alone: others have the same path."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        return (match, child) if match is Match.NONE or _is_theirs(Headers(scope=scope)) else (Match.NONE, {})


def _is_theirs(headers: Headers) -> bool:
    named = headers.get("user-agent", "") + headers.get("x-fern-sdk-name", "")
    return "xi-api-key" in headers or "elevenlabs" in named.lower()

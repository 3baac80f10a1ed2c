"""Cartesia's `/tts/websocket`, `/tts/bytes`, `/tts/sse` and `/voices`."""

from __future__ import annotations

from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from gateway.dialects import cartesia, cartesia_http
from gateway.dialects.answer import AudioBody
from gateway.dialects.http.requests import error_headers, json_body, route
from gateway.dialects.http.spoken import Hall, Spoken
from gateway.dialects.names import VoiceNames
from gateway.errors import GatewayError
from gateway.events import Start
from gateway.voicing import Voicing, voicing


def routes(hall: Hall) -> list[BaseRoute]:
    """All of them; raises GatewayError where a voice is mapped to none that is installed."""
    engine, settings = hall.parts.engine, hall.parts.settings
    names = VoiceNames("ONSET_CARTESIA_VOICES", settings.cartesia_voices, engine.voices, engine.default_voice)

    def check(start: Start) -> Voicing:
        return voicing(start, engine.voices, engine.default_voice)

    async def answer(request: Request, *, sse: bool) -> Response:
        fields = await json_body(request, settings.max_message_bytes)
        start, sound, text = cartesia_http.asked(fields, names, sse=sse)
        voice_hz = check(start).voice.rate_hz
        body = AudioBody(sound.codec(voice_hz), voice_hz, sound.content_type)
        if not sse:
            return Spoken(hall, start, text, body, refused)
        request_id = str(uuid4())
        events = cartesia_http.SseBody(body, cartesia_http.context_of(fields) or request_id, request_id)
        return Spoken(hall, start, text, events, refused)

    async def sound_alone(request: Request) -> Response:
        return await answer(request, sse=False)

    async def with_times(request: Request) -> Response:
        return await answer(request, sse=True)

    async def voices(request: Request) -> Response:
        return JSONResponse(cartesia_http.page(request.query_params, engine.voices))

    async def voice(request: Request) -> Response:
        part = names.part(request.path_params["voice"], "id")
        return JSONResponse(cartesia_http.voice_listed(engine.voices[part.voice or engine.default_voice.name]))

    async def socket(websocket: WebSocket) -> None:
        await hall.serve(websocket, cartesia.Cartesia(names, check, str(uuid4())))

    return [
        route("/tts/bytes", sound_alone, refused, ["POST"]),
        route("/tts/sse", with_times, refused, ["POST"]),
        route("/voices", voices, refused, ["GET"]),
        route("/voices/{voice}", voice, refused, ["GET"]),
        WebSocketRoute("/tts/websocket", socket),
    ]


def refused(error: GatewayError) -> Response:
    """An error in Cartesia's shape."""
    return JSONResponse(cartesia.refusal(error, str(uuid4())), cartesia.status_of(error), headers=error_headers(error))

"""Deepgram's `/v1/speak`: a socket, and an answer to a request."""

from __future__ import annotations

from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from gateway.dialects import deepgram
from gateway.dialects.answer import AudioBody
from gateway.dialects.http.requests import error_headers, json_body, route, status_of
from gateway.dialects.http.spoken import Hall, Spoken
from gateway.dialects.names import VoiceNames
from gateway.errors import GatewayError
from gateway.voicing import voicing


def routes(hall: Hall) -> list[BaseRoute]:
    """All of them; raises GatewayError where a voice is mapped to none that is installed."""
    engine, settings = hall.parts.engine, hall.parts.settings
    names = VoiceNames("ONSET_DEEPGRAM_VOICES", settings.deepgram_voices, engine.voices, engine.default_voice)

    async def speech(request: Request) -> Response:
        start, sound = deepgram.asked(request.query_params, names, socket=False)
        text = deepgram.text_of(await json_body(request, settings.max_message_bytes))
        voice = voicing(start, engine.voices, engine.default_voice).voice
        body = AudioBody(sound.codec(voice.rate_hz), voice.rate_hz, sound.content_type)
        headers = {"dg-request-id": str(uuid4()), "dg-model-name": voice.name, "dg-char-count": str(len(text))}
        return Spoken(hall, start, text, body, refused, headers=headers)

    async def socket(websocket: WebSocket) -> None:
        try:
            start, sound = deepgram.asked(websocket.query_params, names, socket=True)
            start = sound.of(start)
            voice = voicing(start, engine.voices, engine.default_voice).voice
        except GatewayError as error:
            await websocket.send_denial_response(refused(error))
            return
        await hall.serve(websocket, deepgram.Deepgram(start, voice, str(uuid4())))

    return [route("/v1/speak", speech, refused, ["POST"]), WebSocketRoute("/v1/speak", socket)]


def refused(error: GatewayError) -> Response:
    """An error in Deepgram's shape; in a header, too, for a client of a socket sees no body."""
    status = 400 if error.code == "unknown_voice" else status_of(error)
    told = deepgram.refusal(error, str(uuid4()))
    plain = error.message.encode("ascii", "backslashreplace").decode()
    headers = {**error_headers(error), "dg-request-id": told["request_id"], "dg-error": plain}
    return JSONResponse(told, status, headers=headers)

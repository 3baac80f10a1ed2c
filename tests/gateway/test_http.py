"""What the server says over HTTP."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway.app import create_app, create_server, listen, static_folder
from gateway.app.listening import listen_wyoming
from gateway.errors import GatewayError
from gateway.settings import Settings
from tests.fakes import FakeModel, Gate, fake_engine, fake_voice
from tests.wire import Gateway, running


async def get(gateway: Gateway, path: str, method: str = "GET") -> tuple[int, Any]:
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False, timeout=10) as client:
        answer = await client.request(method, path)
        return answer.status_code, answer.json()


async def test_a_server_is_alive_before_it_is_ready() -> None:
    gate = Gate()

    class Cold(FakeModel):
        def warm_up(self) -> None:
            gate.stop()

    async with running(fake_engine(fake_voice(Cold()))) as gateway:
        await gate.arrival()
        assert await get(gateway, "/healthz") == (200, {"status": "ok"})
        assert await get(gateway, "/readyz") == (
            503,
            {"ready": False, "voices": ["fake"], "redis": "off", "breaker": "off"},
        )
        early = asyncio.create_task(spoken_early(gateway))
        gate.open()
        assert await early == "Early bird."
        assert await get(gateway, "/readyz") == (
            200,
            {"ready": True, "voices": ["fake"], "redis": "off", "breaker": "off"},
        )


async def spoken_early(gateway: Gateway) -> str:
    """A client who came before the voices were warm is served when they are."""
    async with gateway.client() as client:
        await client.speak("Early bird.")
        return client.ear.text()


async def test_voices_are_described() -> None:
    engine = fake_engine(fake_voice(name="one"), fake_voice(name="many", speaker_count=3), default="many")
    async with running(engine) as gateway:
        status, answer = await get(gateway, "/v1/voices")
    assert status == 200
    common = {"language": "en-US", "sample_rate": 22050}
    assert answer == {
        "default": "many",
        "voices": [
            {"name": "one", "fingerprint": "one-0", "speakers": [], "default": False, **common},
            {"name": "many", "fingerprint": "many-0", "speakers": [0, 1, 2], "default": True, **common},
        ],
    }


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/static/nothing.js", 404, "not_found"),
        ("GET", "/static/../pyproject.toml", 404, "not_found"),
        ("GET", "/ws", 426, "upgrade_required"),
        ("POST", "/healthz", 405, "method_not_allowed"),
    ],
)
async def test_errors_are_json(gateway: Gateway, method: str, path: str, status: int, code: str) -> None:
    said, answer = await get(gateway, path, method)
    assert (said, answer["error"]["code"]) == (status, code)
    assert answer["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status", "keys"),
    [
        ("GET", "/v1/audio/speech", 405, {"error"}),
        ("POST", "/v1/audio/transcriptions", 404, {"error"}),
        ("GET", "/v1/text-to-speech/fake", 405, {"detail"}),
        ("POST", "/v1/text-to-speech/fake/dub", 404, {"detail"}),
        ("GET", "/v1/voices/fake/settings", 404, {"detail"}),
        ("GET", "/v1/speak", 405, {"err_code", "err_msg", "request_id"}),
        ("GET", "/tts/bytes", 405, {"title", "message", "error", "error_code", "status_code", "request_id"}),
        ("POST", "/tts/nothing", 404, {"title", "message", "error", "error_code", "status_code", "request_id"}),
    ],
)
async def test_under_the_paths_of_a_dialect_errors_have_its_shape(
    gateway: Gateway, method: str, path: str, status: int, keys: set[str]
) -> None:
    said, answer = await get(gateway, path, method)
    assert (said, answer.keys()) == (status, keys)
    if "error" in keys and len(keys) == 1:
        assert answer["error"].keys() == {"message", "type", "param", "code"}


@pytest.mark.parametrize(
    ("path", "key"),
    [("/v1/audio/speech", "error"), ("/v1/text-to-speech/fake", "detail"), ("/v1/speak", "err_code")],
)
async def test_what_nobody_thought_of_is_told_in_the_shape_of_the_dialect(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, path: str, key: str
) -> None:
    def broken(*_: object) -> None:
        raise ArithmeticError("odd")

    for module in ("openai", "elevenlabs", "deepgram"):
        monkeypatch.setattr(f"gateway.dialects.http.{module}.json_body", broken)
    said, answer = await get(gateway, path, "POST")
    assert (said, key in answer) == (500, True)


async def test_the_page_is_served_and_asked_for_anew(gateway: Gateway) -> None:
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False) as client:
        page = await client.get("/")
        files = [path.name for path in static_folder().iterdir() if path.suffix == ".js"]
        answers = [await client.get(f"/static/{name}") for name in files]
    assert page.headers["content-type"].startswith("text/html")
    assert {answer.status_code for answer in [page, *answers]} == {200}
    assert {answer.headers["cache-control"] for answer in [page, *answers]} == {"no-cache"}


async def test_a_crashed_engine_is_not_healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running() as gateway, gateway.client():
        monkeypatch.setattr(type(gateway.house.engine), "healthy", False)
        assert await get(gateway, "/healthz") == (503, {"status": "unhealthy"})


async def test_an_engine_that_cannot_start_ends_the_server() -> None:
    class Broken(FakeModel):
        def warm_up(self) -> None:
            raise ValueError("no memory")

    settings = Settings(port=0)
    app = create_app(settings, fake_engine(fake_voice(Broken())))
    with listen("127.0.0.1", 0) as listening:
        await create_server(app, settings).serve(sockets=[listening])
    assert str(app.state.house.failure) == "no memory"


def test_a_port_in_use_is_said_in_a_line() -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(GatewayError) as caught:
            listen("127.0.0.1", port)
    assert f"127.0.0.1 port {port}" in caught.value.message
    assert "in use" in caught.value.message
    assert "\n" not in caught.value.message


def test_the_port_for_wyoming_is_opened_where_it_is_set() -> None:
    with listen_wyoming(Settings()) as listening:
        assert listening is None
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(GatewayError, match=r"in use; .*ONSET_WYOMING_PORT"),
            listen_wyoming(Settings(wyoming_port=port)),
        ):
            pass
    with listen_wyoming(Settings(wyoming_port=port)) as listening:
        assert listening is not None and listening.getsockname() == ("127.0.0.1", port)
        assert listening.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_a_host_that_is_none_is_said_in_a_line() -> None:
    with pytest.raises(GatewayError, match=r"cannot listen on no\.such\.host\.invalid port 8000"):
        listen("no.such.host.invalid", 8000)


def test_the_page_is_where_it_is_looked_for() -> None:
    assert (static_folder() / "index.html").is_file()
    assert static_folder() == Path(__file__).resolve().parents[2] / "static"

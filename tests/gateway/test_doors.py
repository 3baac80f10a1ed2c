"""Who is let in, by key and by the site of a page."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
import websockets

from gateway.app.doors import Keys
from gateway.settings import BadSettings, read_settings
from tests.wire import Gateway, running

SPEECH = "/v1/audio/speech"


@pytest.fixture
async def locked() -> AsyncIterator[Gateway]:
    async with running(api_keys="first, second") as gateway:
        yield gateway


async def asked(gateway: Gateway, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False, timeout=10) as client:
        json = {"input": "Hello."} if method == "POST" else None
        return await client.request(method, path, headers=named, json=json)


async def refused(gateway: Gateway, path: str = "/ws", **headers: str) -> int:
    """The status that a handshake is answered with."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with pytest.raises(websockets.InvalidStatus) as caught:
        async with websockets.connect(f"ws://{gateway.host}{path}", additional_headers=named, proxy=None):
            pass
    assert b'"message"' in caught.value.response.body
    return caught.value.response.status_code


# ---- keys


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/static/app.js"])
async def test_the_page_and_the_probes_are_open(locked: Gateway, path: str) -> None:
    assert (await asked(locked, path)).status_code in {200, 503}  # which is what the one for readiness says at first


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer second"},
        {"authorization": "bearer  first"},
        {"authorization": "Token first"},
        {"xi_api_key": "first"},
        {"x_api_key": "first"},
    ],
)
async def test_a_key_is_taken_wherever_clients_put_it(locked: Gateway, headers: dict[str, str]) -> None:
    assert (await asked(locked, SPEECH, "POST", **headers)).status_code == 200
    async with locked.client(additional_headers={k.replace("_", "-"): v for k, v in headers.items()}) as client:
        await client.speak("Hello.")
        assert client.ear.text() == "Hello."


@pytest.mark.parametrize("name", ["api_key", "token", "xi-api-key", "xi_api_key"])
async def test_a_key_may_stand_in_the_address(locked: Gateway, name: str) -> None:
    assert (await asked(locked, f"/v1/voices?{name}=first")).status_code == 200


@pytest.mark.parametrize(("shown", "said"), [("", "an API key is needed"), ("Bearer third", "is not one of")])
async def test_without_a_right_key_nothing_is_done(locked: Gateway, shown: str, said: str) -> None:
    headers = {"authorization": shown} if shown else {}
    answer = await asked(locked, SPEECH, "POST", **headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert said in answer.json()["error"]["message"]
    assert answer.json()["error"]["type"] == "authentication_error"
    own = await asked(locked, "/v1/voices", **headers)
    assert (own.status_code, own.json()["error"]["code"]) == (401, "unauthorized")
    assert await refused(locked, **headers) == 401


async def test_any_key_will_do_where_none_is_needed(gateway: Gateway) -> None:
    assert (await asked(gateway, SPEECH, "POST", authorization="Bearer whatever")).status_code == 200


def test_keys_are_compared_whole() -> None:
    keys = Keys(["clé", "b"])
    assert [keys.fits(key) for key in ("clé", "b", "cl", "clé ", "", "cléb")] == [True, True, *[False] * 4]
    assert not Keys([]).needed


# ---- origins


@pytest.mark.parametrize("origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"])
async def test_pages_of_this_machine_may_connect(gateway: Gateway, origin: str) -> None:
    answer = await asked(gateway, "/v1/voices", origin=origin)
    assert answer.headers["access-control-allow-origin"] == origin
    async with gateway.client(additional_headers={"origin": origin}) as client:
        await client.speak("Hello.")


async def test_pages_of_the_server_itself_may_connect_by_whatever_name_it_has(gateway: Gateway) -> None:
    headers = {"host": "voice.example:8000", "origin": "http://voice.example:8000"}
    assert (await asked(gateway, SPEECH, "POST", **headers)).status_code == 200
    behind = {"host": "voice.example", "origin": "https://voice.example"}
    assert (await asked(gateway, SPEECH, "POST", **behind)).status_code == 200


@pytest.mark.parametrize("origin", ["https://other.example", "null", "https://localhost.other.example", "http://[", ""])
async def test_pages_of_other_sites_may_not(gateway: Gateway, origin: str) -> None:
    answer = await asked(gateway, SPEECH, "POST", origin=origin)
    assert (answer.status_code, answer.json()["error"]["type"]) == (403, "permission_error")
    assert "ONSET_ALLOWED_ORIGINS" in answer.json()["error"]["message"]
    assert "access-control-allow-origin" not in answer.headers
    assert await refused(gateway, origin=origin) == 403


@pytest.mark.parametrize("setting", ["https://other.example", "http://a.example, https://other.example", "*"])
async def test_unless_they_are_named(setting: str) -> None:
    async with running(allowed_origins=setting) as gateway:
        answer = await asked(gateway, SPEECH, "POST", origin="https://other.example")
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] in {"*", "https://other.example"}
        async with gateway.client(additional_headers={"origin": "https://other.example"}):
            pass


async def test_a_browser_may_ask_before_it_shows_its_key(locked: Gateway) -> None:
    asks = {"origin": "http://localhost:3000", "access_control_request_method": "POST"}
    answer = await asked(locked, SPEECH, "OPTIONS", **asks, access_control_request_headers="authorization")
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-headers"] in {"authorization", "*"}


def test_what_is_no_origin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONSET_ALLOWED_ORIGINS", "https://good.example,bad.example")
    with pytest.raises(BadSettings, match=r"'bad\.example' is no origin, as in https://example\.org"):
        read_settings()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "gateway.example"])
def test_a_port_without_keys_is_not_opened_beside_one_with_keys(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("ONSET_HOST", host)
    monkeypatch.setenv("ONSET_WYOMING_PORT", "10200")
    assert read_settings().wyoming_port == 10200
    monkeypatch.setenv("ONSET_API_KEYS", "right")
    with pytest.raises(BadSettings, match=r"^ONSET_WYOMING_PORT is '10200': .*ONSET_HOST to 127\.0\.0\.1"):
        read_settings()
    for here in ("127.0.0.1", "::1", "localhost"):
        assert read_settings(host=here).wyoming_port == 10200
    assert read_settings(wyoming_port=0).wyoming_port == 0

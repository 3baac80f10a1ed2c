"""Speech over HTTP: a text in a request, its sound as the answer; and the routes of each dialect."""

from gateway.dialects.http.bodies import AudioBody, Body
from gateway.dialects.http.requests import Refused, error_headers, json_body, route, status_of
from gateway.dialects.http.spoken import Hall, Spoken

__all__ = [
    "AudioBody",
    "Body",
    "Hall",
    "Refused",
    "Spoken",
    "error_headers",
    "json_body",
    "route",
    "status_of",
]

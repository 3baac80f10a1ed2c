"""Speech over HTTP: a text in a request, its sound as the answer; and the routes of each dialect."""

from gateway.dialects.answer import AudioBody, Body, WholeWav
from gateway.dialects.http.requests import FAILED, LATE_KEY, Refused, error_headers, json_body, route, status_of
from gateway.dialects.http.shapes import SHAPES, shape_of
from gateway.dialects.http.spoken import Hall, Spoken

__all__ = [
    "FAILED",
    "LATE_KEY",
    "SHAPES",
    "AudioBody",
    "Body",
    "Hall",
    "Refused",
    "Spoken",
    "WholeWav",
    "error_headers",
    "json_body",
    "route",
    "shape_of",
    "status_of",
]

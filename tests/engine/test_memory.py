"""The allocator of the process gives back what is large, however much was freed before."""

from __future__ import annotations

import subprocess
import sys

import pytest

COUNT = """
import ctypes
from engine.memory import LARGE_BYTES, hold_little

class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks".split()]
    _fields_ += [(name, ctypes.c_size_t) for name in "fsmblks uordblks fordblks keepcost".split()]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Counts
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
assert {setting}
libc.free(libc.malloc(16 * 2**20))  # by itself glibc now takes what is smaller for small
before = libc.mallinfo2().hblks
libc.malloc(LARGE_BYTES)
print(libc.mallinfo2().hblks - before)
"""


@pytest.mark.parametrize(("setting", "own"), [("hold_little()", 1), ("True", 0)])
def test_a_large_block_has_pages_of_its_own(setting: str, own: int) -> None:
    script = COUNT.replace("{setting}", setting)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) == own

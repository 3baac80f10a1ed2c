"""How the process asks the system for memory, so that what it holds is what lives."""

from __future__ import annotations

import ctypes
import sys

LARGE_BYTES = 128 * 2**10
"""What is at least so large is the system's own again as soon as it is freed."""

SPARE_BYTES = 2**20
"""Free memory that each thread may keep at the end of what it has."""

_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # glibc's malloc.h


def hold_little() -> bool:
    """Set the allocator of this process, once and before voices are loaded; False where it is none that is known.

    By itself glibc raises both bounds, up to 32 and 64 MB, with the first large blocks that are freed. Then what lives
    for a sentence lies among what lived for a step, and what was freed around it can be used in pieces only: resident
    memory grows to several times of what is used. With bounds that stay, the weights, a prior and the state of a
    stream have pages of their own.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # another C library
        return False
    return bool(mallopt(_MMAP_THRESHOLD, LARGE_BYTES) and mallopt(_TRIM_THRESHOLD, SPARE_BYTES))

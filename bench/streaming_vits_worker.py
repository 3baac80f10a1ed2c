"""The library streaming-vits as a process: a JSON line {"text"} in, {"first_s", "sound_s"} out, on one thread.

Run by the interpreter of its own environment; it knows nothing of this project. The library asks the package
piper-phonemize for phonemes where that is there. It stopped at Python 3.11, so what answers here is the phonemizer
inside piper-tts: the same espeak-ng, in the same process.

    python streaming_vits_worker.py MODEL FOLDER

FOLDER keeps what it makes once: the cut graphs, and the profile of its own calibration.
"""

from __future__ import annotations

import json
import sys
import time
import types
from pathlib import Path

from piper.phonemize_espeak import EspeakPhonemizer

THREADS = 1
WARM = "The old captain carried a basket of fresh apples to the harbor."


def main(model: str, folder: Path) -> None:
    espeak = EspeakPhonemizer()
    stand_in = types.ModuleType("piper_phonemize")
    stand_in.phonemize_espeak = lambda text, voice: espeak.phonemize(voice, text)  # type: ignore[attr-defined]
    sys.modules["piper_phonemize"] = stand_in
    from streaming_vits import Profile, StreamingTTS  # noqa: PLC0415
    from streaming_vits.calibrate import calibrate  # noqa: PLC0415

    kept = folder / "profile.json"
    profile = Profile.load(kept) if kept.is_file() else Profile(threads=THREADS)
    tts = StreamingTTS(model, profile=profile, threads=THREADS, cache=folder, verbose=False)
    if not kept.is_file():
        tts.profile = calibrate(tts, verbose=False)
        tts.profile.save(kept)
    tts.synthesize(WARM)
    print(json.dumps({"schedule": tts.profile.schedule}), flush=True)
    for line in sys.stdin:
        asked = time.perf_counter()
        first_s, samples = None, 0
        for chunk in tts.stream(json.loads(line)["text"]):
            first_s = first_s if first_s is not None else time.perf_counter() - asked
            samples += len(chunk.audio)
        print(json.dumps({"first_s": first_s, "sound_s": samples / tts.sample_rate}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

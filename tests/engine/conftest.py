from __future__ import annotations

import pytest

from engine.voices import LoadedVoice, find_voices, load_voice
from tests.engine.toy import folder_that_is_empty
from tests.graphs import graph_store


@pytest.fixture(scope="session")
def joe() -> LoadedVoice:
    """The real default voice."""
    found, _ = find_voices(folder_that_is_empty())
    return load_voice(found[0], graph_store())

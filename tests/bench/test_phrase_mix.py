"""What a service desk says: the list, how often each of it comes, and when."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from bench.phrase_mix import UNIQUE, Said, mix, most_times, phrases, turns, unique_sentences, zipf


def test_the_list_has_three_hundred_phrases_of_one_line_each() -> None:
    found = phrases()
    assert len(found) == len(set(found)) == 300
    assert all(phrase == phrase.strip() and phrase[-1] in ".?" for phrase in found)


def test_the_first_place_is_twice_as_probable_as_the_second() -> None:
    shares = zipf(300)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == pytest.approx(2 * shares[1]) == pytest.approx(300 * shares[299])


def test_the_mix_is_the_same_for_a_seed_and_has_its_share_of_unique_sentences() -> None:
    said = list(itertools.islice(mix(phrases(), 1), 20_000))
    assert said == list(itertools.islice(mix(phrases(), 1), 20_000))
    assert said != list(itertools.islice(mix(phrases(), 2), 20_000))
    unique = [one.text for one in said if one.unique]
    assert len(unique) / len(said) == pytest.approx(UNIQUE, abs=0.02)
    assert len(set(unique)) == len(unique)
    assert not set(unique) & set(phrases())


def test_frequent_phrases_come_as_often_as_their_place_says() -> None:
    said = Counter(one.text for one in itertools.islice(mix(phrases(), 1, unique=0), 50_000))
    for place in (0, 1, 9):
        assert said[phrases()[place]] / 50_000 == pytest.approx(zipf(300)[place], rel=0.15)


def test_unique_sentences_of_two_seeds_differ() -> None:
    one, other = (list(itertools.islice(unique_sentences(seed), 50)) for seed in (1, 2))
    assert one != other


def test_turns_bring_the_load_that_is_asked_for() -> None:
    planned = turns(mix(phrases(), 1), 1000, 8, 2.0, 1)
    sentences = sum(len(turn.said) for turn in planned)
    assert sentences * 2.0 / 1000 == pytest.approx(8, rel=0.1)
    assert all(0 < turn.at < 1000 and 1 <= len(turn.said) <= 3 for turn in planned)
    assert [turn.at for turn in planned] == sorted(turn.at for turn in planned)


def test_a_turn_is_said_with_spaces_between_its_sentences() -> None:
    [turn, *_] = turns(iter([Said("Yes.", False)] * 99), 10, 1, 1.0, 1)
    assert turn.text == " ".join(["Yes."] * len(turn.said))


def test_a_cache_saves_at_most_what_is_not_unique() -> None:
    assert most_times([Said("aaaa", False), Said("bb", True), Said("cc", False)]) == 4

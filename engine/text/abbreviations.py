"""Words that a full stop follows without ending the sentence, and the words that begin one."""

from __future__ import annotations

from enum import Enum, auto


class Follow(Enum):
    """What decides whether a stop followed by a space ends the sentence."""

    ENDS = auto()  # nothing: it does
    GOES_ON = auto()  # nothing: it never does
    CASE = auto()  # it does unless a lower-case letter follows
    NUMBER = auto()  # it does unless a number follows
    STARTER = auto()  # it does only before a word that begins sentences
    CLOCK = auto()  # as CASE, and not before a weekday or a time zone
    DAY = auto()  # as CASE, and not before a month: "am 24. Dezember"


def _words(follow: Follow, words: str) -> dict[str, Follow]:
    return dict.fromkeys(words.split(), follow)


def _one_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


ANY_CASE: dict[str, Follow] = (
    _words(Follow.GOES_ON, "mr mrs ms mx dr prof messrs e.g i.e eg ie cf viz vs bzw z.b d.h u.a sra dra")
    | _words(Follow.CASE, "etc usw ft oz lb lbs min max hr hrs sq avg temp deg")
    | _words(Follow.CLOCK, "a.m p.m")
    | _words(Follow.STARTER, "inc ltd co corp llc bros jr sr st ave blvd rd dept est approx al str ph.d")
    | _words(
        Follow.NUMBER,
        "no nos nr fig figs p pp vol vols ch chap sec art eq ver jan feb apr aug sept oct nov dec apt tel ext rm",
    )
)
"""Matched in lower case, without the last point."""

EXACT: dict[str, Follow] = _words(
    Follow.GOES_ON, "Gen Sen Rep Rev Hon Capt Col Lt Sgt Maj Adm Cmdr Gov Pres Supt Fr Hr Mt Ft ca evtl ggf inkl"
) | _words(Follow.NUMBER, "Mar Jun Jul Sep Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun")
"""Words too when written otherwise: "the sun", "he sat", "CA"."""

STARTERS = _one_of(
    """
    A An The This That These Those It Its He She We They You I His Her Hers Their Our My Your There Here
    What When Where Why Who Whose How Which While Although Though If Unless In On At By For From With Without After
    Before As And But Or Nor So Then Thus Yet Now Today Tomorrow Yesterday However Meanwhile Moreover Also Because
    Since Until Once Is Are Was Were Do Does Did Has Have Had Can Could Would Should Not No Yes Let Please Some Many
    Most All Each Every Both Few Several Another Everyone Everybody Nobody Nothing Someone Something Maybe Perhaps
    Just Only Even Still Instead Later Soon Finally To Of During Under Between
    Der Die Das Ein Eine Er Sie Es Wir Ich Ihr Und Aber Dann Doch Heute
    """
)

CLOCK_WORDS = _one_of(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday Eastern Central Mountain Pacific
    UTC GMT CET CEST BST EST EDT ET CST CDT CT MST MDT MT PST PDT PT
    """
)

MONTHS = _one_of(
    """
    Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember
    January February March May June July October December
    """
)

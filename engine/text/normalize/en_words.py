"""English words that are written short."""

from __future__ import annotations

from engine.text.normalize.en_letters import ends
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import pairs

_WORD = r"(?<![\p{L}\p{N}_])"
_END = r"(?![\p{L}\p{N}_])"


_TITLES = pairs("""
Dr = Doctor
Mr = Mister
Mrs = Missus
Ms = Ms
Mx = Mx
Prof = Professor
Gen = General
Sen = Senator
Rep = Representative
Gov = Governor
Pres = President
Capt = Captain
Sgt = Sergeant
Lt = Lieutenant
Col = Colonel
Maj = Major
Adm = Admiral
Rev = Reverend
Hon = Honorable
Mt = Mount
Ft = Fort
""")
_BEHIND = pairs("""
Ave = Avenue
Blvd = Boulevard
Rd = Road
Jr = Junior
Sr = Senior
Inc = Incorporated
Ltd = Limited
Corp = Corporation
Co = Company
Bros = Brothers
""")
_BEFORE_NUMBERS = pairs("""
no = number
nos = numbers
nº = number
n° = number
nr = number
№ = number
# = number
p = page
pp = pages
fig = figure
figs = figures
vol = volume
vols = volumes
ch = chapter
chap = chapter
sec = section
eq = equation
eqs = equations
art = article
ver = version
ext = extension
apt = apartment
tel = telephone
§ = section
§§ = sections
ca = around
""")
_ANYWHERE = pairs("""
vs = versus
v = versus
e.g = for example
i.e = that is
etc = et cetera
approx = approximately
dept = department
govt = government
ph.d = P H D
w/o = without
b/c = because
c/o = care of
n/a = not applicable
and/or = and or
""")

TITLE = rf"{_WORD}(?P<short>{'|'.join(_TITLES)})\.(?= \p{{Lu}})|{_WORD}(?P<short>Dr|Mrs?|Ms)\.?(?= )"
BEHIND = rf"(?<=[\p{{L}}&],? )(?P<short>{'|'.join(_BEHIND)})(?:\.{_END}|{_END}(?<=Blvd|Rd|Jr|Sr|Ltd))"
BEFORE_NUMBER = (
    rf"{_WORD}(?P<short>(?i:(?:nos?|nr|pp?|figs?|vols?|chap|ch|sec|eqs?|art|ver|ext|apt|tel|ca)\.|n[º°]\.?|№|\#|§§?))"
    rf" ?(?=\(?[0-9])"
    rf"|{_WORD}(?P<short>No) (?=[0-9])"
    rf"|{_WORD}(?P<short>(?:[Vv]ols?|Figs?|Ch|[Cc]hap)\.) (?=[IVXLC]{{1,9}}(?![\p{{L}}\p{{N}}_']))"
)
ANYWHERE = (
    rf"(?i){_WORD}(?P<short>(?:vs|etc|approx|dept|govt|ph\.d|e\.g|i\.e)\.|v\.(?= )"
    rf"|(?:vs|etc|w/o|b/c|c/o|n/a|and/or|phd){_END})"
)
WITH = rf"{_WORD}w/ ?(?=\p{{L}})"
EITHER = (
    rf"(?i){_WORD}(?P<a>he|she|his|him|her|yes|true|on|is|one|either|s)/"
    rf"(?P<b>he|she|hers|her|him|they|no|false|off|are|more|or){_END}"
)
SAINT = rf"{_WORD}St\.(?=[ ,;:!?)]|$)"


def say_title(found: Match) -> str:
    return _TITLES[found["short"]]


def say_behind(found: Match) -> str:
    return _BEHIND[found["short"]] + _stop(found)


def say_before_number(found: Match) -> str:
    return _BEFORE_NUMBERS[found["short"].lower().rstrip(".")] + " "


def say_anywhere(found: Match) -> str:
    short = found["short"].lower().rstrip(".")
    return _ANYWHERE["ph.d" if short == "phd" else short] + _stop(found)


def say_either(found: Match) -> str:
    return f"{'she' if found['a'] == 's' else found['a']} or {found['b']}"


def _stop(found: Match) -> str:
    """The point, where it ends the sentence."""
    return "." if found.group().endswith(".") and ends(found) else ""


def say_saint(found: Match) -> str | None:
    """St. before a name is a saint, behind one a street."""
    before = found.string[max(0, found.start() - 30) : found.start()].split(" ")
    after = found.string[found.end() : found.end() + 2]
    named = after[:1] == " " and after[1:].isupper()
    owner, house = (before[-2], before[-3:-2]) if len(before) > 1 else ("", [])
    numbered = owner[:1].isdecimal() or (bool(house) and house[0].isdecimal())
    if numbered or (owner[:1].isupper() and not named):
        return "Street" + _stop(found)
    return "Saint" if named else None

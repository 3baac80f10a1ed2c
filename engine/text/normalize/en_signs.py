"""English names of signs, among numbers and by themselves."""

from __future__ import annotations

import unicodedata

from engine.text.normalize.en_letters import letters
from engine.text.normalize.en_numbers import BEFORE, NUMBER, number
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import pairs

FORMULA = r"(?<![\p{L}\p{N}_])(?P<base>\p{Lu}\p{L}?\p{L}?)(?P<sub>[₀-₉]{1,9})(?P<more>\p{Lu}\p{L}?(?![\p{L}]))?"
LOWERED = "₀₁₂₃₄₅₆₇₈₉"
SUBSCRIPT = r"[₀-₉]{1,9}"
RAISED = r"(?P<sign>⁻?)(?P<up>[⁰¹²³⁴-⁹]{1,9})"
POWER = (
    r"(?<=[\p{L}\p{N})])(?:\^|\*\*(?=[0-9a-z])| \*\* (?=[0-9a-z]))"
    r"(?P<brace>\{)?(?P<sign>[-−]?)(?P<n>[0-9]{1,6}|[a-z])(?(brace)\})(?![\p{L}\p{N}])"
)
SCIENTIFIC = rf"{BEFORE}(?P<mantissa>{NUMBER})[eE](?P<sign>[+-]?)(?P<n>[0-9]{{1,3}})(?![\p{{L}}\p{{N}}_])"

TAG = (
    r"(?i)</?(?:a|b|i|u|s|p|em|strong|br|hr|span|div|code|pre|kbd|sub|sup|small|mark|h[1-6]|ul|ol|li|table|tr|td|th|img|"
    r"details|summary|center|font)"
    r"(?:\s{1,20}+[\p{L}:-]{1,40}+=(?:\"[^\"<>]{0,200}+\"|'[^'<>]{0,200}+'|[^\s\"'<>]{1,200}+)){0,8}+\s{0,20}+/?>"
)
REPEATED = r"(?P<sign>[-=_*~#+<>|/\\$%^&@])(?P=sign){3,399}"
NAMED = r"!=|==?|<=|>=|\+/-|\+\+|&&|[&+@#%$€£¥°©®™§\\∞√π≈±≠≤≥−×÷]|\([cC]\)(?= [0-9]{4})"
SIGNS = "=+&@#%$€£¥°©®™§\\∞√π≈±≠≤≥−×÷("
COMPARED = r"(?<=[\p{L}\p{N})] )[<>](?= [\p{L}\p{N}(]|[$£€¥]?\.?[0-9])"
HEART = r"(?<=\b(?:I|[Ww]e|[Yy]ou) )<3(?![\p{L}\p{N}.,%])"
TIGHT_COMPARED = r"(?<=(?<![\p{L}\p{N}_<>])(?:\p{L}|[0-9]{1,9}))[<>](?=(?:\p{L}|[0-9]{1,9})(?![\p{L}\p{N}_<>]))"
SLASH = r"(?<=[\p{L}\p{N})]) ?/ ?(?=[\p{L}\p{N}(])"
ARROW = r"[-=<][-=]{0,2}>|[→⇒➜➔⟶]"
DASH = r"(?<=[\p{L}\p{N},.]) -{1,3} (?=\p{L})|(?<=\p{L})--(?=\p{L})"
QUIET_SIGNS = "*^|{}`_•·‣▪●~<>\ue000\ue001"
QUIET = rf"[{QUIET_SIGNS}]+ ?"

FROM_TO = (
    r"(?<=[0-9]|[0-9][%°kKMBm'\"]|°[CF]|[0-9] ?[ap]m|[0-9] ?[ckm]m)(?<![\p{L}-][0-9.]{1,9}) ?[-–—] ?(?=[$£€¥]?\.?[0-9])"
)
LEADING = (
    r"(?<![\p{L}\p{N})\]%°_.])(?P<sign>-|\+|[~≈∼±] ?|(?:<=|≤|⩽|>=|≥|⩾|<|>)(?<![\p{L}\p{N})] [<>≤≥⩽⩾]=?) ?)"
    r"(?=[$£€¥]?\.?[0-9])"
)
TIMES = r"(?<=[0-9a-z)] ?)[×✕⋅·](?= ?[0-9a-z(])|(?<=[0-9)] ?)\*(?= ?[0-9(])|(?<=[0-9)] )x(?= [0-9(])"
BY_BEFORE_UNIT = (
    r"(?<=[0-9] )x(?= [0-9]{1,6}(?:\.[0-9]{1,6})? ?(?:[ckm]?m|in|ft|px|inch|feet|pixels|[cm]entimet|met)(?!\p{Ll}{5}))"
)
BY = rf"{BEFORE}(?P<a>{NUMBER})[x×](?P<b>{NUMBER})(?:[x×](?P<c>{NUMBER}))?(?![\p{{L}}\p{{N}}_])"
COEFFICIENT = (
    rf"(?:(?<=(?<![\p{{L}}\p{{N}}])\p{{L}}\)? [=+-] )|{BEFORE}"
    r"(?=[0-9.,]{1,20}+x(?: ?[=*/^]| ?\+ ?(?:[0-9(]|\p{L}(?!\p{L}))| - [0-9(])))"
    rf"(?P<n>{NUMBER})x(?![\p{{L}}\p{{N}}_])"
)
MINUS_AFTER_UNKNOWN = r"(?<=(?<![\p{L}\p{N}])[0-9]{0,9}[xyzn][²³]?) - (?=[0-9]{0,9}(?:[0-9]|[xyzn](?![\p{L}\p{N}])))"
MANY_TIMES = rf"{BEFORE}(?P<n>{NUMBER})[x×](?![\p{{L}}\p{{N}}_])"

_NAMES = pairs("""
!= ≠ = is not equal to
== = equals
<= ≤ = less than or equal to
>= ≥ = greater than or equal to
< = less than
> = greater than
± +/- = plus or minus
≈ = about
& = and
&& = and
+ = plus
++ = plus plus
@ = at
# = hash
% = percent
$ = dollar
€ = euro
£ = pound
¥ = yen
° = degrees
© (c) (C) = copyright
® = registered
™ = trademark
§ = section
\\ = backslash
∞ = infinity
√ = the square root of
π = pi
− = minus
× = times
÷ = divided by
""")
_LEADING = pairs("""
- = minus
+ = plus
~ ≈ ∼ = about
<= ≤ ⩽ = at most
>= ≥ ⩾ = at least
< = less than
> = more than
± = plus or minus
""")
_RAISED = {"2": "squared", "3": "cubed"}


def spaced(name: str, found: Match) -> str:
    """`name` apart from letters and digits around it."""
    text, start, end = found.string, found.start(), found.end()
    lead = " " if start and not text[start - 1].isspace() and text[start - 1] not in "([{\"'“‘" else ""
    tail = " " if end < len(text) and not text[end].isspace() and text[end] not in ")]}\"'”’.,;:!?…" else ""
    return f"{lead}{name}{tail}"


def say_formula(found: Match) -> str:
    base, more = found["base"], found["more"] or ""
    digits = number(unicodedata.normalize("NFKC", found["sub"]))
    return f"{letters(base) if base.isupper() else base} {digits}{' ' if more else ''}{more}"


def say_subscript(found: Match) -> str:
    return spaced(number(unicodedata.normalize("NFKC", found.group())), found)


def say_raised(found: Match) -> str:
    return spaced(_power(found["sign"], unicodedata.normalize("NFKC", found["up"])), found)


def say_power(found: Match) -> str:
    return spaced(_power(found["sign"], found["n"], small=" " not in found.group()), found)


def say_scientific(found: Match) -> str:
    return (
        f"{number(found['mantissa'])} times ten {_power('-' if found['sign'] == '-' else '', found['n'], small=False)}"
    )


def _power(sign: str, exponent: str, small: bool = True) -> str:
    if small and not sign and exponent in _RAISED:
        return _RAISED[exponent]
    return f"to the power of {'minus ' if sign else ''}{number(exponent) if exponent.isdecimal() else exponent}"


def say_named(found: Match) -> str:
    return spaced("equals" if found.group() == "=" else _NAMES[found.group()], found)


def say_leading(found: Match) -> str:
    return _LEADING[found["sign"].strip()] + " "


def say_by(found: Match) -> str:
    """Sizes, as 3x4."""
    return " by ".join(number(part) for part in found.group("a", "b", "c") if part)


def say_coefficient(found: Match) -> str:
    """3x + 2 = 8 has an unknown, and is not three times anything."""
    return f"{number(found['n'])} x"


def say_many_times(found: Match) -> str:
    return f"{number(found['n'])} times"


def say_arrow(found: Match) -> str:
    return spaced("to", found)


def say_times(found: Match) -> str:
    return spaced("times", found)


def say_quiet(found: Match) -> str:
    """Nothing; but words stay apart."""
    before, after = found.string[max(0, found.start() - 1) : found.start()], found.string[found.end() : found.end() + 1]
    if found.group().endswith(" "):
        return " " if before and not before.isspace() else ""
    return " " if before.isalnum() and after.isalnum() else ""

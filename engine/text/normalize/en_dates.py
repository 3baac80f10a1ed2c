"""English dates and times of day."""

from __future__ import annotations

from collections.abc import Callable

from engine.text.normalize import numbers
from engine.text.normalize.en_letters import ends
from engine.text.normalize.en_numbers import EN, count, number, ordinal, plural
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import words

_MONTHS = words("January February March April May June July August September October November December")
_DAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_SHORT_MONTH = r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?"
_MONTH = rf"(?:{'|'.join(_MONTHS)}|{_SHORT_MONTH})"
DAY = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)"
_WORD = r"(?<![\p{L}\p{N}_])"
_END = r"(?![\p{L}\p{N}_]|[.,:/-][0-9])"
_SUFFIX = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:(?P<comma>,)? (?P<year>[12][0-9]{3}))?"
_HOUR = r"[0-9][0-9]?"
_HALF = r"(?P<half>[ap](?:\.m\b\.?|m\b)|[AP](?:\.M\b\.?|M\b))"

MONTH_DAY = (
    rf"{_WORD}(?P<month>{_MONTH}) (?:the )?(?P<day>[0-9]{{1,2}}){_SUFFIX}"
    rf"(?: ?[-–] ?(?P<last>[0-9]{{1,2}}){_SUFFIX})?{_YEAR}{_END}"
)
DAY_MONTH = (
    rf"{_WORD}(?<![.,/:])(?P<day>[0-9][0-9]?){_SUFFIX}(?: ?[-–] ?(?P<last>[0-9][0-9]?){_SUFFIX})?"
    rf"(?: of)? (?P<month>{_MONTH}){_YEAR}{_END}"
)
MONTH_YEAR = rf"{_WORD}(?P<month>{_SHORT_MONTH}) (?P<year>'?[0-9]{{2,4}}){_END}"
ISO = (
    rf"{_WORD}(?P<year>[12][0-9]{{3}})([-/])(?P<month>[01]?[0-9])\g<2>(?P<day>[0-3]?[0-9])"
    r"(?:[T ](?P<hour>[0-2][0-9]):(?P<minute>[0-5][0-9])(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?P<zone>Z)?)?"
    r"(?![\p{L}\p{N}_]|[-/:][0-9])"
)
SLASHED = rf"{_WORD}(?P<a>[0-9]{{1,2}})([/.-])(?P<b>[0-9]{{1,2}})\g<2>(?P<year>[0-9]{{4}}|[0-9]{{2}}){_END}"
ON_DAY = rf"(?<=\b[Oo]n )(?P<a>[0-9]{{1,2}})/(?P<b>[0-9]{{1,2}})(?P<year>)(?!/){_END}"
YEARS = (
    rf"{_WORD}(?<![-–/.,])(?P<from>[12][0-9]{{3}})(?P<dash> ?[-–] ?|/)(?P<to>[12][0-9]{{3}}|[0-9]{{2}})"
    rf"(?![%°$€£]){_END}"
)
TO_MONTH = rf"(?<=[0-9]) ?[-–] ?(?={_MONTH} [0-9])"
WEEKDAYS = rf"{_WORD}(?P<from>{DAY})\.?(?P<link> ?[-–] ?| & | and | to )(?P<to>{DAY})(?![\p{{L}}\p{{N}}])\.?"
WEEKDAY = rf"{_WORD}(?P<from>{DAY})\.?(?=,? (?:[0-9]{{1,2}}(?::|[ap]m|[ ,]|(?:st|nd|rd|th))|{_MONTH} [0-9]))"
CLOCK = (
    rf"{_WORD}(?<![0-9][:.,])(?P<hour>[0-9][0-9]?):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9])(?:\.[0-9]{{1,6}})?)?"
    rf"(?: ?{_HALF})?(?![\p{{L}}\p{{N}}_]|:[0-9])"
)
FRENCH_CLOCK = (
    rf"{_WORD}(?<![0-9][:.,])(?P<hour>[01]?[0-9]|2[0-4])h(?P<minute>[0-5][0-9])(?P<second>)(?P<half>)"
    r"(?![\p{L}\p{N}_])"
)
HOUR = rf"{_WORD}(?<![0-9][:.,])(?P<hour>{_HOUR}) ?{_HALF}(?![\p{{L}}\p{{N}}_])"
DOTTED_CLOCK = (
    rf"{_WORD}(?<![0-9][:.,])(?P<hour>{_HOUR})\.(?P<minute>[0-5][0-9])(?P<second>)? ?{_HALF}(?![\p{{L}}\p{{N}}_])"
)
HOURS = (
    rf"{_WORD}(?<![0-9][:.,])(?P<hour>{_HOUR})(?::(?P<minute>[0-5][0-9]))? ?[-–] ?"
    rf"(?={_HOUR}(?::[0-5][0-9])? ?[ap]\.?m)"
)
RATIO = rf"{_WORD}[0-9]{{1,4}}(?::[0-9]{{1,4}}){{1,3}}(?![:\p{{L}}]){_END}"
HALF = rf"(?<![\p{{L}}\p{{N}}_.]){_HALF}(?<=\.m\.?|\.M\.?)"
DECADE = (
    rf"{_WORD}(?:'?(?P<century>[12][0-9])|'|(?<=\b(?:the|early|late|mid|her|his|their|my|of)[ -])(?=[2-9]))"
    r"(?P<decade>[0-9]0)'?s(?![\p{L}\p{N}_])"
)
SHORT_YEAR = rf"{_WORD}'(?P<year>[0-9]{{2}})(?![\p{{L}}\p{{N}}'])"

Say = Callable[[Match], str | None]


def say_month_day(found: Match) -> str | None:
    if not _is_day(found["day"]) or (found["last"] and not _is_day(found["last"])):
        return None
    last = f" to {ordinal(found['last'])}" if found["last"] else ""
    return f"{_month(found['month'])} {ordinal(found['day'])}{last}{_year(found['year'])}"


def say_day_month(found: Match) -> str | None:
    day, last = found["day"], found["last"]
    if not _is_day(day) or (last and not _is_day(last)):
        return None
    the = "" if found.string[max(0, found.start() - 4) : found.start()].lower() == "the " else "the "
    days = f"{ordinal(day)} to the {ordinal(last)}" if last else ordinal(day)
    stop = "." if found["month"].endswith(".") and not found["year"] and ends(found) else ""
    return f"{the}{days} of {_month(found['month'])}{_year(found['year'])}{stop}"


def say_month_year(found: Match) -> str | None:
    digits = found["year"].lstrip("'")
    if len(digits) == 3 or (len(digits) == 2 and digits == found["year"]):
        return None
    return f"{_month(found['month'])} {_two(digits) if len(digits) == 2 else count(digits)}"


def say_iso(found: Match) -> str | None:
    date = _date(found["month"], found["day"], found["year"])
    if date is None or not found["hour"]:
        return date
    zone = " U T C" if found["zone"] else ""
    return f"{date}, {_time(found['hour'], found['minute'], False)}{zone}"


def slashed(day_first: bool) -> Say:
    """Dates as 11/24/2027: which comes first is a custom, unless only one of them can be a month."""

    def say(found: Match) -> str | None:
        a, b, year = found["a"], found["b"], found["year"]
        if len(year) == 2 and found.group(2) != "/":
            return None
        month, day = (b, a) if (day_first or found.group(2) == ".") else (a, b)
        return _date(month, day, year) or _date(day, month, year)

    return say


def say_years(found: Match) -> str | None:
    """1939-45; but a number that falls is no range of years."""
    first, last = found["from"], found["to"]
    if len(last) == 4:
        return f"{count(first)} to {count(last)}" if first < last else None
    return f"{count(first)} to {_two(last)}" if first[2:] < last else None


def say_weekdays(found: Match) -> str:
    link = "and" if found["link"] in (" & ", " and ") else "to"
    stop = "." if found.group().endswith(".") and ends(found) else ""
    return f"{_weekday(found['from'])} {link} {_weekday(found['to'])}{stop}"


def say_weekday(found: Match) -> str:
    return _weekday(found["from"])


def say_clock(found: Match) -> str | None:
    hour, minute, second, half = found["hour"], found["minute"], found["second"], found["half"]
    if int(hour) > 24:
        return None
    if second == "00":
        second = ""
    seconds = f" and {number(str(int(second)))} second{'' if second == '01' else 's'}" if second else ""
    return _time(hour, minute, bool(half or second)) + seconds + _half(found)


def say_hour(found: Match) -> str | None:
    if not 1 <= int(found["hour"]) <= 12:
        return None
    return number(str(int(found["hour"]))) + _half(found)


def say_hours(found: Match) -> str | None:
    """The first of "9-5 pm", which has no half of the day of its own."""
    if not 1 <= int(found["hour"]) <= 12:
        return None
    return (
        _time(found["hour"], found["minute"], True) if found["minute"] else number(str(int(found["hour"])))
    ) + " to "


def say_ratio(found: Match) -> str:
    return " to ".join(map(number, found.group().split(":")))


def _time(hour: str, minute: str, bare: bool) -> str:
    """`bare`: something follows that says that it is a time."""
    hours, minutes = int(hour), int(minute)
    said = number(str(hours))
    if minutes == 0:
        if bare:
            return said
        full = "hundred" if hours > 12 or hour[0] == "0" else "o'clock"
        return "midnight" if hours in (0, 24) else f"{said} {full}"
    return f"{said} {'oh ' if minutes < 10 else ''}{number(str(minutes))}"


def say_half(found: Match) -> str:
    return _half(found).lstrip()


def _half(found: Match) -> str:
    """Letters, and the stop that the sentence ends with."""
    half = found["half"]
    if not half:
        return ""
    stop = "." if half.endswith(".") and ends(found) else ""
    return (" A.M" if half[0] in "aA" else " P M") + stop


def _date(month: str, day: str, year: str) -> str | None:
    if not 1 <= int(month) <= 12 or not _is_day(day):
        return None
    return f"{_MONTHS[int(month) - 1]} {ordinal(str(int(day)))}{_year(year)}"


def _year(year: str | None) -> str:
    if not year:
        return ""
    return f", {count(year) if len(year) == 4 else _two(year)}"


def _two(digits: str) -> str:
    """The year of a century."""
    value = number(str(int(digits)))
    return value if digits[0] != "0" else f"oh {value}" if digits != "00" else "two thousand"


def _is_day(day: str) -> bool:
    return 1 <= int(day) <= 31


def _month(name: str) -> str:
    return next((month for month in _MONTHS if month.startswith(name[:3])), name)


def _weekday(name: str) -> str:
    return next((day for day in _DAYS if day.startswith(name[:3])), name)


def say_decade(found: Match) -> str:
    century, decade = found["century"] or "", found["decade"]
    words = numbers.year(f"{century}{decade}", EN) if century else numbers.cardinal(decade, EN)
    return plural(words)


def say_short_year(found: Match) -> str:
    return _two(found["year"])

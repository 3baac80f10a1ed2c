"""English: what is said for what is written, a rule a line."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from engine.text.normalize import en_capitals as capitals
from engine.text.normalize import en_dates as dates
from engine.text.normalize import en_fractions as fractions
from engine.text.normalize import en_letters as letters
from engine.text.normalize import en_money as money
from engine.text.normalize import en_names as names
from engine.text.normalize import en_numbers as numbers
from engine.text.normalize import en_signs as signs
from engine.text.normalize import en_units as units
from engine.text.normalize import en_words as words
from engine.text.normalize.common import addresses
from engine.text.normalize.rules import Rule, rule


def _english(day_first: bool) -> Sequence[Rule]:
    """`day_first`: whether 3/4/2027 is in April."""
    return (
        *addresses(names.SIGNS),
        rule("tag", signs.TAG, ""),
        rule("repeated sign", signs.REPEATED, ""),
        rule("language name", names.LANGUAGE, names.say_language),
        rule("hashtag", names.HASHTAG, names.say_hashtag),
        rule("handle", names.HANDLE, names.say_handle),
        rule("path", names.PATH, names.say_file),
        rule("path of a drive", names.DRIVE, names.say_file),
        rule("path from here", names.NEAR, names.say_file),
        rule("file", names.FILE, names.say_file),
        rule("snake case", names.SNAKE, names.say_snake),
        rule("ISO date", dates.ISO, dates.say_iso),
        rule("date of numbers", dates.SLASHED, dates.slashed(day_first)),
        rule("month and day", dates.MONTH_DAY, dates.say_month_day),
        rule("day and month", dates.DAY_MONTH, dates.say_day_month),
        rule("month and year", dates.MONTH_YEAR, dates.say_month_year),
        rule("day of numbers", dates.ON_DAY, dates.slashed(day_first)),
        rule("years", dates.YEARS, dates.say_years),
        rule("weekdays", dates.WEEKDAYS, dates.say_weekdays),
        rule("weekday", dates.WEEKDAY, dates.say_weekday),
        rule("hours", dates.HOURS, dates.say_hours),
        rule("hour", dates.HOUR, dates.say_hour),
        rule("clock", dates.CLOCK, dates.say_clock),
        rule("clock with a point", dates.DOTTED_CLOCK, dates.say_clock),
        rule("half of the day", dates.HALF, dates.say_half),
        rule("ratio", dates.RATIO, dates.say_ratio),
        rule("phone", numbers.PHONE, numbers.say_phone),
        rule("toll-free phone", numbers.TOLL_FREE, numbers.say_toll_free),
        rule("local phone", numbers.LOCAL, numbers.say_local),
        rule("IP address", numbers.ADDRESS, numbers.say_address),
        rule("money", money.MONEY, money.say_money),
        rule("money after", money.MONEY_AFTER, money.say_money),
        rule("cents", money.CENTS, money.say_cents),
        rule("code", numbers.CODE, numbers.say_code),
        rule("other separators", numbers.OTHER, numbers.say_other),
        rule("version of one part", numbers.V, lambda m: f"version {numbers.number(m[1])}"),
        rule("version", numbers.VERSION, numbers.say_version),
        rule("named version", numbers.NAMED_VERSION, numbers.say_version),
        rule("number in a series", numbers.SERIES, lambda m: f" {numbers.say_version(m)}"),
        rule("decade", dates.DECADE, dates.say_decade),
        rule("short year", dates.SHORT_YEAR, dates.say_short_year),
        rule("ordinal", numbers.ORDINAL, numbers.say_ordinal),
        rule("height", units.HEIGHT, units.say_height),
        rule("inches", units.INCHES, units.say_inches),
        rule("place", numbers.PLACE, numbers.say_place),
        rule("size in a name", numbers.SIZE, numbers.say_place),
        rule("four K", numbers.FOUR_K, numbers.say_four_k),
        rule("duration", units.DURATION, units.say_duration),
        rule("lines", numbers.LINES, numbers.say_lines),
        rule("unit", units.UNIT, units.say_unit),
        rule("unit alone", units.ALONE, units.say_alone),
        rule("rating", fractions.RATING, fractions.say_rating),
        rule("mixed fraction", fractions.MIXED_FRACTION, fractions.say_fraction),
        rule("fraction", fractions.FRACTION, fractions.say_fraction),
        rule("sign of a mixed fraction", fractions.MIXED_SIGN, fractions.say_sign),
        rule("sign of a fraction", fractions.SIGN, fractions.say_sign),
        rule("chain", numbers.CHAIN, numbers.say_chain),
        rule("scaled", numbers.SCALED, numbers.say_scaled),
        rule("scientific", signs.SCIENTIFIC, signs.say_scientific),
        rule("by", signs.BY, signs.say_by),
        rule("coefficient", signs.COEFFICIENT, signs.say_coefficient),
        rule("many times", signs.MANY_TIMES, signs.say_many_times),
        rule("long number", numbers.LONG, numbers.say_long),
        rule("number", numbers.PLAIN, numbers.say_count),
        rule("mixed", names.MIXED, names.say_mixed),
        rule("formula", signs.FORMULA, signs.say_formula),
        rule("subscript", signs.SUBSCRIPT, signs.say_subscript),
        rule("power", signs.POWER, signs.say_power),
        rule("raised", signs.RAISED, signs.say_raised),
        rule("digits", numbers.DIGITS, numbers.say_digits),
        rule("before a number", words.BEFORE_NUMBER, words.say_before_number),
        rule("point", r"(?<![\p{L}\p{N}.…])\.(?=[0-9])", "point "),
        rule("minus between", r"(?<=[0-9]) - (?=[0-9])", " minus "),
        rule("minus after an unknown", signs.MINUS_AFTER_UNKNOWN, " minus "),
        rule("divided", r"(?<=[0-9]) / (?=[0-9])", " divided by "),
        rule("from to a month", dates.TO_MONTH, " to "),
        rule("zone", r"(?<=\b(?:UTC|GMT) ?)-(?=[0-9])", " minus "),
        rule("from to", signs.FROM_TO, " to "),
        rule("leading sign", signs.LEADING, signs.say_leading),
        rule("by before a unit", signs.BY_BEFORE_UNIT, "by"),
        rule("times", signs.TIMES, signs.say_times),
        rule("by with units", r"(?<=[\p{L}°\"']) x (?=[0-9])", " by "),
        rule("per", units.PER, units.say_per),
        rule("minus after", r"(?<=\b[A-F])-(?![\p{L}\p{N}-])", " minus"),
        rule("plus after", r"(?<=[0-9][kKMB]?)\+(?![\p{L}\p{N}+])", " plus"),
        rule("title", words.TITLE, words.say_title),
        rule("saint", words.SAINT, words.say_saint),
        rule("behind a name", words.BEHIND, words.say_behind),
        rule("written short", words.ANYWHERE, words.say_anywhere),
        rule("with", words.WITH, "with "),
        rule("either", words.EITHER, words.say_either),
        rule("world war", letters.WORLD_WAR, letters.say_world_war),
        rule("king", letters.ROMAN_KING, letters.say_roman_king),
        rule("Roman numeral", letters.ROMAN_COUNTED, letters.say_roman),
        rule("Roman numeral of a name", letters.ROMAN_NAME, letters.say_roman),
        rule("Roman sign", letters.ROMAN_SIGN, letters.say_roman_sign),
        rule("dotted letters", letters.DOTTED, letters.say_dotted),
        rule("initial", letters.INITIAL, letters.say_initial),
        rule("letters and letter", letters.AMPERSAND, letters.say_ampersand),
        rule("capitals", capitals.CAPITALS, capitals.say_capitals),
        rule("dash", signs.DASH, " – "),
        rule("bar", r"(?<=[^\s|]) \| (?=[^\s|])", ", "),
        rule("arrow", signs.ARROW, signs.say_arrow),
        rule("heart", signs.HEART, "love"),
        rule("compared", signs.COMPARED, signs.say_named),
        rule("compared tightly", signs.TIGHT_COMPARED, signs.say_named),
        rule("named sign", signs.NAMED, signs.say_named),
        rule("slash", signs.SLASH, " slash "),
        rule("quiet sign", signs.QUIET, signs.say_quiet),
    )


HINT = regex.compile(
    r"[^\p{L}\s,;:!?'\"()—–…“”.-]|\p{Lu}\p{Lu}|\.(?![\"')”…]*$)|(?<!\p{Ll})-|-(?!\p{Ll})|–(?! )|\p{L}{64}"
    r"|\b(?:vs|etc|phd|Ph|PhD|Dr|Mrs?|Ms|Jr|Sr|Ltd|Blvd|Rd)\b|\b(?:St|Ave|Inc|Corp|Co|Bros)\."
    r"|[IVX](?![\p{L}'])(?<=\b\p{L}{2,20} [IVX])(?<![a-z] I)"
    rf"|I(?<=\b(?:{letters.COUNTED}|{letters.CROWNED}) I)"
    rf"|\b{dates.DAY}\.? (?:and|to) {dates.DAY}\b"
)
"""Found in every text that a rule may change: most prose has nothing of it, and need not be read rule by rule."""

AMERICAN = _english(day_first=False)
ENGLISH = _english(day_first=True)

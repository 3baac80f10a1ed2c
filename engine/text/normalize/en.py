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
        rule("tag", signs.TAG, "", "<"),
        rule("repeated sign", signs.REPEATED, "", "-=_*~#+<>|/\\$%^&@"),
        rule("language name", names.LANGUAGE, names.say_language, "+#N"),
        rule("hashtag", names.HASHTAG, names.say_hashtag, "#"),
        rule("handle", names.HANDLE, names.say_handle, "@"),
        rule("path", names.PATH, names.say_file, "/\\"),
        rule("path of a drive", names.DRIVE, names.say_file, "\\"),
        rule("path from here", names.NEAR, names.say_file, "/\\"),
        rule("file", names.FILE, names.say_file, "."),
        rule("snake case", names.SNAKE, names.say_snake, "_"),
        rule("ISO date", dates.ISO, dates.say_iso, "0 -/"),
        rule("date of numbers", dates.SLASHED, dates.slashed(day_first), "0 /-."),
        rule("month and day", dates.MONTH_DAY, dates.say_month_day, "0 JFMASOND"),
        rule("day and month", dates.DAY_MONTH, dates.say_day_month, "0 JFMASOND"),
        rule("month and year", dates.MONTH_YEAR, dates.say_month_year, "0 JFMASOND"),
        rule("day of numbers", dates.ON_DAY, dates.slashed(day_first), "0 /"),
        rule("years", dates.YEARS, dates.say_years, "0 -–/"),
        rule("weekdays", dates.WEEKDAYS, dates.say_weekdays, "MTWFS"),
        rule("weekday", dates.WEEKDAY, dates.say_weekday, "0 MTWFS"),
        rule("hours", dates.HOURS, dates.say_hours, "0 -– m"),
        rule("hour", dates.HOUR, dates.say_hour, "0 mM"),
        rule("clock", dates.CLOCK, dates.say_clock, "0 :"),
        rule("clock with a point", dates.DOTTED_CLOCK, dates.say_clock, ". mM"),
        rule("clock with an h", dates.FRENCH_CLOCK, dates.say_clock, "9"),
        rule("half of the day", dates.HALF, dates.say_half, ". mM"),
        rule("ratio", dates.RATIO, dates.say_ratio, "0 :"),
        rule("phone", numbers.PHONE, numbers.say_phone, "7"),
        rule("toll-free phone", numbers.TOLL_FREE, numbers.say_toll_free, "0 -"),
        rule("local phone", numbers.LOCAL, numbers.say_local, "7 -"),
        rule("IP address", numbers.ADDRESS, numbers.say_address, "0 ."),
        rule("money", money.MONEY, money.say_money, "0 $£€¥￥₹₩₽₺₪₫₴₿2"),
        rule("money after", money.MONEY_AFTER, money.say_money, "0 $£€¥￥₹₩₽₺₪₫₴₿2"),
        rule("cents", money.CENTS, money.say_cents, "0 ¢"),
        rule("code", numbers.CODE, numbers.say_code, "0"),
        rule("other separators", numbers.OTHER, numbers.say_other, "0"),
        rule("version of one part", numbers.V, lambda m: f"version {numbers.number(m[1])}", "0 v"),
        rule("version", numbers.VERSION, numbers.say_version, "0 ."),
        rule("named version", numbers.NAMED_VERSION, numbers.say_version, "0 ."),
        rule("number in a series", numbers.SERIES, lambda m: f" {numbers.say_version(m)}", "0 ."),
        rule("decade", dates.DECADE, dates.say_decade, "0 s"),
        rule("short year", dates.SHORT_YEAR, dates.say_short_year, "0 '"),
        rule("ordinal", numbers.ORDINAL, numbers.say_ordinal, "9"),
        rule("height", units.HEIGHT, units.say_height, "0 '′"),
        rule("inches", units.INCHES, units.say_inches, '0 "″'),
        rule("place", numbers.PLACE, numbers.say_place, "9"),
        rule("size in a name", numbers.SIZE, numbers.say_place, "9 -"),
        rule("four K", numbers.FOUR_K, numbers.say_four_k, "9"),
        rule("duration", units.DURATION, units.say_duration, "0 h m"),
        rule("lines", numbers.LINES, numbers.say_lines, "9"),
        rule("unit", units.UNIT, units.say_unit, "0"),
        rule("unit alone", units.ALONE, units.say_alone, "²³/"),
        rule("rating", fractions.RATING, fractions.say_rating, ". /"),
        rule("mixed fraction", fractions.MIXED_FRACTION, fractions.say_fraction, "0 /"),
        rule("fraction", fractions.FRACTION, fractions.say_fraction, "0 /"),
        rule("sign of a mixed fraction", fractions.MIXED_SIGN, fractions.say_sign, fractions.SIGNS),
        rule("sign of a fraction", fractions.SIGN, fractions.say_sign, fractions.SIGNS),
        rule("chain", numbers.CHAIN, numbers.say_chain, "0 -"),
        rule("scaled", numbers.SCALED, numbers.say_scaled, "0"),
        rule("scientific", signs.SCIENTIFIC, signs.say_scientific, "9"),
        rule("by", signs.BY, signs.say_by, "0 x×"),
        rule("coefficient", signs.COEFFICIENT, signs.say_coefficient, "9"),
        rule("many times", signs.MANY_TIMES, signs.say_many_times, "0 x×"),
        rule("long number", numbers.LONG, numbers.say_long, "7"),
        rule("number", numbers.PLAIN, numbers.say_count, "0"),
        rule("mixed", names.MIXED, names.say_mixed, "0"),
        rule("formula", signs.FORMULA, signs.say_formula, signs.LOWERED),
        rule("subscript", signs.SUBSCRIPT, signs.say_subscript, signs.LOWERED),
        rule("power", signs.POWER, signs.say_power, "^*"),
        rule("raised", signs.RAISED, signs.say_raised, "⁰¹²³⁴⁵⁶⁷⁸⁹"),
        rule("digits", numbers.DIGITS, numbers.say_digits, "0"),
        rule("before a number", words.BEFORE_NUMBER, words.say_before_number, "0IVXLC"),
        rule("point", r"(?<![\p{L}\p{N}.…])\.(?=[0-9])", "point ", "0 ."),
        rule("minus between", r"(?<=[0-9]) - (?=[0-9])", " minus ", "0 -"),
        rule("minus after an unknown", signs.MINUS_AFTER_UNKNOWN, " minus ", "-"),
        rule("divided", r"(?<=[0-9]) / (?=[0-9])", " divided by ", "0 /"),
        rule("from to a month", dates.TO_MONTH, " to ", "0 -– JFMASOND"),
        rule("zone", r"(?<=\b(?:UTC|GMT) ?)-(?=[0-9])", " minus ", "0 -"),
        rule("from to", signs.FROM_TO, " to ", "0 -–—"),
        rule("leading sign", signs.LEADING, signs.say_leading, "0 -+~≈∼±<≤⩽>≥⩾"),
        rule("by before a unit", signs.BY_BEFORE_UNIT, "by", "0 x"),
        rule("times", signs.TIMES, signs.say_times, "×✕⋅·*x"),
        rule("by with units", r"(?<=[\p{L}°\"']) x (?=[0-9])", " by ", "0 x"),
        rule("per", units.PER, units.say_per, "/"),
        rule("minus after", r"(?<=\b[A-F])-(?![\p{L}\p{N}-])", " minus", "-"),
        rule("plus after", r"(?<=[0-9][kKMB]?)\+(?![\p{L}\p{N}+])", " plus", "0 +"),
        rule("title", words.TITLE, words.say_title),
        rule("saint", words.SAINT, words.say_saint, "S"),
        rule("behind a name", words.BEHIND, words.say_behind),
        rule("written short", words.ANYWHERE, words.say_anywhere),
        rule("with", words.WITH, "with ", "/"),
        rule("either", words.EITHER, words.say_either, "/"),
        rule("world war", letters.WORLD_WAR, letters.say_world_war, "W"),
        rule("king", letters.ROMAN_KING, letters.say_roman_king, "IVX"),
        rule("Roman numeral", letters.ROMAN_COUNTED, letters.say_roman, "IVXLC"),
        rule("Roman numeral of a name", letters.ROMAN_NAME, letters.say_roman, "2"),
        rule("Roman sign", letters.ROMAN_SIGN, letters.say_roman_sign, letters.ROMAN_SIGNS),
        rule("dotted letters", letters.DOTTED, letters.say_dotted, "."),
        rule("initial", letters.INITIAL, letters.say_initial),
        rule("letters and letter", letters.AMPERSAND, letters.say_ampersand, "&"),
        rule("capitals", capitals.CAPITALS, capitals.say_capitals, "2"),
        rule("dash", signs.DASH, " – ", "-"),
        rule("bar", r"(?<=[^\s|]) \| (?=[^\s|])", ", ", "|"),
        rule("arrow", signs.ARROW, signs.say_arrow, ">→⇒➜➔⟶"),
        rule("heart", signs.HEART, "love", "<"),
        rule("compared", signs.COMPARED, signs.say_named, "<>"),
        rule("compared tightly", signs.TIGHT_COMPARED, signs.say_named, "<>"),
        rule("named sign", signs.NAMED, signs.say_named, signs.SIGNS),
        rule("slash", signs.SLASH, " slash ", "/"),
        rule("quiet sign", signs.QUIET, signs.say_quiet, signs.QUIET_SIGNS),
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

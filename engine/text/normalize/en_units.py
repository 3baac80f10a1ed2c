"""English units."""

from __future__ import annotations

from engine.text.normalize.en_numbers import BEFORE, NUMBER, SCALE, number, scaled
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import inflected, word_set

_METRIC = """
nm = nanometer
µm μm um = micrometer
mm = millimeter
cm = centimeter
dm = decimeter
m = meter
km = kilometer
µg μg mcg = microgram
mg = milligram
g = gram
kg = kilogram
t = ton
ml mL = milliliter
cl cL = centiliter
dl dL = deciliter
l L = liter
ha = hectare
ns = nanosecond
µs μs us = microsecond
ms = millisecond
s sec secs = second
min mins = minute
h hr hrs = hour
wk wks = week
mo mos = month
yr yrs = year
W = watt
kW = kilowatt
MW = megawatt
GW = gigawatt
TW = terawatt
Wh = watt hour
kWh = kilowatt hour
MWh = megawatt hour
GWh = gigawatt hour
TWh = terawatt hour
V = volt
kV = kilovolt
mV = millivolt
mA = milliamp
mAh = milliamp hour
Ah = amp hour
Ω ohm = ohm
kΩ = kilohm
MΩ = megohm
J = joule
kJ = kilojoule
MJ = megajoule
kcal = kilocalorie
N = newton
kN = kilonewton
Nm = newton meter
Pa = pascal
hPa = hectopascal
kPa = kilopascal
MPa = megapascal
Hz = hertz, hertz
kHz = kilohertz, kilohertz
MHz = megahertz, megahertz
GHz = gigahertz, gigahertz
THz = terahertz, terahertz
dB = decibel
dBm = d B m, d B m
lm = lumen
lx = lux, lux
mol = mole
mmol = millimole
"""
_OTHERS = """
° = degree
°C ℃ ºC = degree Celsius, degrees Celsius
°F ℉ ºF = degree Fahrenheit, degrees Fahrenheit
°K = kelvin, kelvin
in = inch, inches
ft = foot, feet
yd yds = yard
mi = mile
oz = ounce
lb lbs = pound
gal = gallon
tsp = teaspoon
tbsp = tablespoon
qt = quart
mph = mile per hour, miles per hour
kph kmh = kilometer per hour, kilometers per hour
mpg = mile per gallon, miles per gallon
rpm RPM = revolution per minute, revolutions per minute
bpm BPM = beat per minute, beats per minute
fps FPS = frame per second, frames per second
psi = pound per square inch, pounds per square inch
ppm = part per million, parts per million
ppb = part per billion, parts per billion
dpi DPI = dot per inch, dots per inch
px = pixel
MP = megapixel
kB KB = kilobyte
MB = megabyte
GB = gigabyte
TB = terabyte
PB = petabyte
KiB = kibibyte
MiB = mebibyte
GiB = gibibyte
TiB = tebibyte
Kb kbit Kbit = kilobit
Mb Mbit = megabit
Gb Gbit = gigabit
bps = bit per second, bits per second
kbps Kbps = kilobit per second, kilobits per second
Mbps mbps = megabit per second, megabits per second
Gbps gbps = gigabit per second, gigabits per second
Tbps = terabit per second, terabits per second
% = percent, percent
‰ = per mille, per mille
"""
UNITS = inflected(_METRIC + _OTHERS)
_WORDS = word_set("in us mo N J")  # said so only where nothing else can be meant
_POWERS = {
    "²": "square",
    "2": "square",
    "^2": "square",
    "sq": "square",
    "³": "cubic",
    "3": "cubic",
    "^3": "cubic",
    "cu": "cubic",
    "fl": "fluid",
}

_NO_NOUNS = word_set(
    "was were is are he she it we they you i in of for on at to and or that which who by from as with had has would per"
)
_BEHIND_INCHES = (" x ", " by ", " tall", " wide", " long", " deep", " high", " from", " of ")

_UNIT = (
    r"(?:(?P<power>sq|cu|fl)\.? )?(?P<unit>[%‰°ºΩ℃℉µμ\p{L}]{1,5})(?P<raised>[²³]|\^[23](?![0-9])|(?<=m)[23](?![0-9]))?"
)
UNIT = (
    rf"{BEFORE}(?P<n>{NUMBER})(?P<scale>{SCALE})?(?P<gap>[ -]?){_UNIT}"
    rf"(?:/(?P<per>[%µμ\p{{L}}]{{1,5}})(?P<perraised>[²³]|\^[23])?)?(?![\p{{L}}\p{{N}}_])(?:\.(?= [\p{{Ll}}0-9]))?"
)
ALONE = (
    r"(?<![\p{L}\p{N}_/])(?:(?P<unit>km|cm|mm|mi|ft|in|m)(?P<raised>[²³])"
    r"|(?P<unit>km|mi|m|cm|MB|GB|kB|mg|g|kWh)(?:/(?P<per>h|s|min|dL|L|ml|kg|day)(?P<perraised>[²³])?))(?![\p{L}\p{N}_/])"
)
PER = r"(?<=[0-9%€$£¢]|[0-9][kKMB])/(?:(?P<unit>\p{L}{1,3})(?!\p{L})|(?=\p{L}))"
HEIGHT = (
    rf"{BEFORE}(?P<feet>[0-9]{{1,3}}) ?['′](?: ?(?P<inches>[0-9]{{1,2}}(?:\.[0-9])?) ?(?:[\"″]|''))?"
    r"(?![\p{L}\p{N}_'])"
)
DURATION = (
    rf"{BEFORE}(?P<h>[0-9]{{1,4}}) ?(?:h|hrs?) ?(?P<m>[0-9]{{1,2}}) ?m(?:ins?)?(?: ?(?P<s>[0-9]{{1,2}}) ?s(?:ecs?)?)?"
    r"(?![\p{L}\p{N}_])"
)
INCHES = rf"{BEFORE}(?P<n>{NUMBER})(?P<gap>-?)[\"″](?![\p{{L}}\p{{N}}_])"


def is_attributive(found: Match) -> bool:
    """a $5 coffee, a 5 km run, a 30-day month."""
    before = f" {found.string[max(0, found.start() - 5) : found.start()].lower()}"
    after = found.string[found.end() : found.end() + 12]
    if found["gap"] == "-" or after[:1] != " " or not after[1:2].isalpha():
        return found["gap"] == "-"
    if before.endswith((" a ", " an ")):
        return True
    return before.endswith(" the ") and after.split()[0].strip(".,;:!?") not in _NO_NOUNS


def say_unit(found: Match) -> str | None:
    unit = found["unit"]
    if unit not in UNITS or (unit in _WORDS and not _stands_alone(found)):
        return None
    power = found["raised"] or found["power"]
    amount = f"{scaled(found['n'], found['scale'])}{'-' if found['gap'] == '-' else ' '}"
    single = (found["n"] == "1" and not found["scale"]) or is_attributive(found)
    words = _with_per(UNITS[unit][not single], power, found["per"], found["perraised"])
    return amount + words if words else None


def _with_per(words: str, power: str | None, per: str | None, raised: str | None) -> str | None:
    words = f"{_POWERS[power]} {words}" if power else words
    if not per:
        return words
    below = UNITS.get(per, (per, per))[0]
    if raised and below in ("second", "hour"):
        return f"{words} per {below} squared"
    return f"{words} per {_POWERS[raised] + ' ' if raised else ''}{below}"


def _stands_alone(found: Match) -> bool:
    """5 in, 10 B: not "5 in the morning"."""
    if found["raised"] or found["power"] or found["per"] or found["gap"] == "-":
        return True
    if not found["gap"]:
        return bool(found["unit"] == "in")
    rest = found.string[found.end() : found.end() + 6]
    return (
        not rest.strip()
        or rest[0] in ",.;:!?)"
        or rest.startswith((" x ", " by ", " tall", " wide", " long", " deep", " high"))
    )


def say_alone(found: Match) -> str | None:
    return _with_per(UNITS[found["unit"]][1], found["raised"], found["per"], found["perraised"])


def say_height(found: Match) -> str | None:
    """6'2"; the feet alone only where no quotation ends."""
    feet, inches = found["feet"], found["inches"]
    if not inches:
        if found.string.rfind("'", max(0, found.start() - 200), found.start()) >= 0:
            return None
        return f"{number(feet)} {'foot' if feet == '1' else 'feet'}"
    return f"{number(feet)} {'foot' if feet == '1' else 'feet'} {number(inches)}"


def say_inches(found: Match) -> str | None:
    """Not where the sign closes a quotation."""
    before = found.string[max(0, found.start() - 400) : found.start()]
    if found.group()[-1] == '"' and before.count('"') % 2:
        return None
    return f"{number(found['n'])} {'inch' if found['n'] == '1' or is_attributive(found) else 'inches'}"


def say_duration(found: Match) -> str:
    """2h 30m, where m is no meter."""
    parts = [(found[key], UNITS[unit]) for key, unit in (("h", "h"), ("m", "min"), ("s", "s")) if found[key]]
    return " ".join(f"{number(str(int(n)))} {names[int(n) != 1]}" for n, names in parts)


def say_per(found: Match) -> str:
    """$3/lb, 5/day."""
    unit = found["unit"]
    return f" per {UNITS[unit][0] if unit in UNITS else unit or ''}"

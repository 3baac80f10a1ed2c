"""Dutch words: what is counted, what is short for what."""

from __future__ import annotations

from engine.text.normalize import numbers
from engine.text.normalize.common import Signs
from engine.text.normalize.tables import words
from engine.text.normalize.tongue import Tongue, nouns

_UNITS = nouns("""
    %: procent
    ‰: promille
    km: kilometer
    m: meter
    dm: decimeter
    cm: centimeter
    mm: millimeter
    µm μm: micrometer
    km²: vierkante kilometer
    m²: vierkante meter
    cm²: vierkante centimeter
    m³: kubieke meter
    cm³: kubieke centimeter
    ha: hectare
    km/h km/u: kilometer per uur
    m/s: meter per seconde
    kg: kilogram
    g gr: gram
    mg: milligram
    µg μg: microgram
    t: ton
    l L: liter
    ml mL: milliliter
    cl cL: centiliter
    u: uur
    min: minuut, minuten
    s sec: seconde, seconden
    ms: milliseconde, milliseconden
    °: graad, graden
    °C ℃: graad Celsius, graden Celsius
    °F: graad Fahrenheit, graden Fahrenheit
    kWh: kilowattuur
    MWh: megawattuur
    W: watt
    kW: kilowatt
    MW: megawatt
    GW: gigawatt
    V: volt
    mAh: milliampère-uur
    Hz: hertz
    kHz: kilohertz
    MHz: megahertz
    GHz: gigahertz
    kB KB: kilobyte
    MB: megabyte
    GB: gigabyte
    TB: terabyte
    Mbit/s Mb/s Mbps: megabit per seconde
    dB: decibel
    bar: bar
    hPa: hectopascal
    kcal: kilocalorie, kilocalorieën
    kJ: kilojoule
    pk: paardenkracht
""")

_MONEY = nouns("""
    € EUR euro: euro
    $ USD US$ dollar: dollar
    £ GBP: pond
    ¥ JPY: yen
    CHF: Zwitserse frank
    zł PLN: zloty
    ₽ RUB: roebel
    ₹ INR: roepie
""")

_CENTS = nouns("""
    € EUR euro $ USD US$ dollar: cent
    £ GBP: penny, pence
    CHF: rappen
""")

_MAGNITUDES = nouns("""
    miljoen mln mln. mio: miljoen
    miljard mld mld. mrd: miljard
    biljoen: biljoen
    dzd. dzd: duizend
""")


def _tidy(words: str) -> str:
    """The number one has its accents, else it is an article; a word ends after a thousand."""
    words = words.replace("duizend", "duizend ").strip()
    return "één" + words[3:] if words == "een" or words.startswith("een ") else words


TONGUE = Tongue(
    language="nl",
    rules={},
    comma="komma",
    signs={"-": "min", "+": "plus", "±": "plusminus"},
    units=_UNITS,
    money=_MONEY,
    cents=_CENTS,
    magnitudes=_MAGNITUDES,
    tidy=_tidy,
    year=lambda digits: _tidy(numbers.year(digits, "nl")),
)

ADDRESSES = Signs(
    "nl",
    {
        ".": "punt",
        "@": "apenstaartje",
        "/": "slash",
        "-": "streepje",
        "_": "laag streepje",
        ":": "dubbele punt",
        "+": "plus",
    },
    "enzovoort",
)

SIGNS = {"&": "en", "+": "plus", "=": "is gelijk aan", "@": "apenstaartje", "§": "paragraaf", "×": "keer"} | {
    "≈": "ongeveer", "~": "ongeveer", "±": "ongeveer", "÷": "gedeeld door", "%": "procent", "‰": "promille",
    "€": "euro", "$": "dollar", "£": "pond", "°C": "graden Celsius", "°": "graden", "≤": "hooguit", "≥": "minstens",
}  # fmt: skip

ABBREVIATIONS = """
    bijv. = bijvoorbeeld
    b. v. = bijvoorbeeld
    bv. = bijvoorbeeld
    d. w. z. = dat wil zeggen
    o. a. = onder andere
    o. m. = onder meer
    m. a. w. = met andere woorden
    m. b. t. = met betrekking tot
    m. b. v. = met behulp van
    i. v. m. = in verband met
    i. p. v. = in plaats van
    t. o. v. = ten opzichte van
    t. a. v. = ter attentie van
    t. g. v. = ten gevolge van
    n. a. v. = naar aanleiding van
    z. s. m. = zo snel mogelijk
    a. u. b. = alstublieft
    s. v. p. = alstublieft
    a. s. = aanstaande
    j. l. = jongstleden
    jl. = jongstleden
    v. Chr. = voor Christus
    n. Chr. = na Christus
    t/m = tot en met
    enz. = enzovoort
    etc. = et cetera
    ca. = circa
    evt. = eventueel
    incl. = inclusief
    excl. = exclusief
    resp. = respectievelijk
    nr. = nummer
    nrs. = nummers
    blz. = bladzijde
    p. = pagina
    hfst. = hoofdstuk
    art. = artikel
    dhr. = de heer
    Dhr. = de heer
    mevr. = mevrouw
    Mevr. = mevrouw
    mw. = mevrouw
    Mw. = mevrouw
    dr. = dokter
    Dr. = dokter
    prof. = professor
    Prof. = professor
    ir. = ingenieur
    ing. = ingenieur
    drs. = doctorandus
    mr. = meester
    St. = Sint
    tel. = telefoon
    Tel. = telefoon
    max. = maximaal
    min. = minimaal
    gem. = gemiddeld
    vgl. = vergelijk
    vs. = versus
"""

ACRONYMS = "VS EU VN AI API URL URLs USB BBP DNA OK IP ID UV IQ NS KNMI WA AOW BTW ABN IC ICT ING"

MONTHS = ["", *words("januari februari maart april mei juni juli augustus september oktober november december")]

KINGS = words("""
    Lodewijk Willem Karel Filips Hendrik Frederik Albert Leopold Boudewijn Johannes Paulus Benedictus Pius Leo Frans
    Peter Napoleon George Eduard Richard Nicolaas Alexander Gregorius Innocentius Urbanus Clemens Ramses Otto Rudolf
    Maximiliaan Ferdinand Floris Jan Gustaaf Christiaan Felipe Charles Filip
""")
QUEENS = words("""
    Elizabeth Elisabeth Catharina Johanna Maria Margaretha Cleopatra Christina Anna Isabella Margrethe
""")

PARTS = {3: "derde", 4: "vierde", 5: "vijfde", 6: "zesde", 7: "zevende", 8: "achtste", 9: "negende", 10: "tiende"}

YEARS = frozenset(
    words("""
    jaar sinds van tot vanaf rond anno zomer winter herfst lente en tussen in uit voor na begin eind januari
    februari maart april mei juni juli augustus september oktober november december
""")
)

VERBS = frozenset(
    words("""
    was is werd waren zijn werden had heeft hadden kwam kwamen ging gingen begon stierf vond leefde verscheen en of
    tot als toen door met het de dat om te naar voor in op aan bij nog al niet geboren overleed woonde won
""")
)
"""Words that a year is followed by, and that nobody counts."""

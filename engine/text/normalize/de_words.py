"""German words: what is counted, what is short for what, and what tells the ending of a number."""

from __future__ import annotations

from engine.text.normalize import numbers
from engine.text.normalize.common import Signs
from engine.text.normalize.tables import words
from engine.text.normalize.tongue import Tongue, nouns

_UNITS = nouns("""
    %: Prozent
    ‰: Promille
    km: Kilometer
    m: Meter
    dm: Dezimeter
    cm: Zentimeter
    mm: Millimeter
    µm μm: Mikrometer
    nm: Nanometer
    km² qkm: Quadratkilometer
    m² qm: Quadratmeter
    cm²: Quadratzentimeter
    m³ cbm: Kubikmeter
    cm³: Kubikzentimeter
    ha: Hektar
    km/h: Kilometer pro Stunde
    m/s: Meter pro Sekunde
    kg: Kilogramm
    g: Gramm
    mg: Milligramm
    µg μg: Mikrogramm
    t: Tonne, Tonnen, f
    l: Liter
    ml: Milliliter
    cl: Zentiliter
    h Std.: Stunde, Stunden, f
    min Min. min.: Minute, Minuten, f
    s Sek. sek: Sekunde, Sekunden, f
    ms: Millisekunde, Millisekunden, f
    °: Grad
    °C ℃: Grad Celsius
    °F: Grad Fahrenheit
    kWh: Kilowattstunde, Kilowattstunden, f
    MWh: Megawattstunde, Megawattstunden, f
    Wh: Wattstunde, Wattstunden, f
    W: Watt
    kW: Kilowatt
    MW: Megawatt
    GW: Gigawatt
    V: Volt
    mAh: Milliamperestunde, Milliamperestunden, f
    mA: Milliampere
    PS: PS
    Hz: Hertz
    kHz: Kilohertz
    MHz: Megahertz
    GHz: Gigahertz
    kB KB: Kilobyte
    MB: Megabyte
    GB: Gigabyte
    TB: Terabyte
    Mbit/s MBit/s: Megabit pro Sekunde
    dB: Dezibel
    bar: Bar
    hPa: Hektopascal
    kcal: Kilokalorie, Kilokalorien, f
    kJ: Kilojoule
""")

_MONEY = nouns("""
    € EUR Euro: Euro
    $ USD US-$ US$ Dollar: Dollar
    £ GBP Pfund: Pfund, n
    ¥ JPY: Yen
    CHF SFr. Franken: Franken
    zł PLN: Zloty
    ₽ RUB: Rubel
    ₹ INR: Rupie, Rupien, f
    ct Ct.: Cent
""")

_CENTS = nouns("""
    € EUR Euro $ USD US-$ US$ Dollar: Cent
    £ GBP Pfund: Penny, Pence
    CHF SFr. Franken: Rappen
    zł PLN: Groszy
""")

_MAGNITUDES = nouns("""
    Tsd. Tsd: tausend, -
    Mio. Mio Million Millionen: Million, Millionen, f
    Mrd. Mrd Milliarde Milliarden: Milliarde, Milliarden, f
    Bio. Billion Billionen: Billion, Billionen, f
""")

TONGUE = Tongue(
    language="de",
    rules={f"{g[0]}": f"spellout-cardinal-{g}" for g in ("masculine", "feminine", "neuter")},
    comma="Komma",
    signs={"-": "minus", "+": "plus", "±": "plus minus"},
    units=_UNITS,
    money=_MONEY,
    cents=_CENTS,
    magnitudes=_MAGNITUDES,
    together=lambda part: False,
    year=lambda digits: numbers.year(digits, "de"),
)

ADDRESSES = Signs(
    "de",
    {".": "Punkt", "@": "ät", "/": "Schrägstrich", "-": "Minus", "_": "Unterstrich", ":": "Doppelpunkt", "+": "Plus"},
    "und so weiter",
)

SIGNS = {"&": "und", "+": "plus", "=": "gleich", "@": "ät", "§§": "Paragrafen", "§": "Paragraf", "×": "mal"} | {
    "≈": "ungefähr", "~": "ungefähr", "±": "plus minus", "÷": "geteilt durch", "%": "Prozent", "‰": "Promille",
    "€": "Euro", "$": "Dollar", "£": "Pfund", "°C": "Grad Celsius", "°": "Grad", "≤": "höchstens", "≥": "mindestens",
}  # fmt: skip

ABBREVIATIONS = """
    z. B. = zum Beispiel
    d. h. = das heißt
    u. a. = unter anderem
    u. U. = unter Umständen
    i. d. R. = in der Regel
    o. ä. = oder ähnlich
    o. Ä. = oder Ähnliches
    u. Ä. = und Ähnliches
    v. a. = vor allem
    z. T. = zum Teil
    z. Z. = zurzeit
    z. Hd. = zu Händen
    s. o. = siehe oben
    s. u. = siehe unten
    m. E. = meines Erachtens
    n. Chr. = nach Christus
    v. Chr. = vor Christus
    usw. = und so weiter
    etc. = et cetera
    bzw. = beziehungsweise
    ca. = circa
    vgl. = vergleiche
    evtl. = eventuell
    ggf. = gegebenenfalls
    inkl. = inklusive
    exkl. = exklusive
    zzgl. = zuzüglich
    bspw. = beispielsweise
    sog. = sogenannt
    allg. = allgemein
    max. = maximal
    mind. = mindestens
    min. = minimal
    Nr. = Nummer
    Nrn. = Nummern
    Str. = Straße
    Dr. = Doktor
    Prof. = Professor
    Hr. = Herr
    Hrn. = Herrn
    Fr. = Frau
    St. = Sankt
    Tel. = Telefon
    Abs. = Absatz
    Abb. = Abbildung
    Art. = Artikel
    Bd. = Band
    Kap. = Kapitel
    geb. = geboren
    gest. = gestorben
    Jh. = Jahrhundert
    Jhd. = Jahrhundert
    Std. = Stunden
    Min. = Minuten
    Sek. = Sekunden
    Mio. = Millionen
    Mrd. = Milliarden
    Aufl. = Auflage
    Hbf. = Hauptbahnhof
    Hbf = Hauptbahnhof
    MwSt. = Mehrwertsteuer
    MwSt = Mehrwertsteuer
    LKW = Lastwagen
    Lkw = Lastwagen
"""

ACRONYMS = "USA US EU UN ARD EZB API APIs URL URLs USB KI AI IT ID OK ADAC ICE IC UKW AOK EKG EDV ABS AGB IP OP UV IQ"

MONTHS = ["", *words("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")]
WEEKDAYS = frozenset(words("montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"))

DATIVE = frozenset(
    words("""
    in im an am auf aus bei beim mit nach seit von vom zu zum zur unter über vor hinter neben zwischen ab gegenüber
    laut gemäß
""")
)
"""Words after which "der" is the dative of a feminine word, and a name stands in the dative."""

WEAK = frozenset(
    words("""
    am im vom zum beim zur dem den des einem einen einer eines diesem diesen jedem jeden ihrem seinem meinem unserem
    ihren seinen meinen bis ab seit nach vor von mit ihrer seiner meiner unserer
""")
)
"""Words after which an ordinal ends in -en."""

FEMININE = frozenset(
    words("""
    Stunde Minute Sekunde Woche Million Milliarde Tonne Person Seite Frau Klasse Liga Runde Etage Auflage Hälfte
    Phase Stufe Stelle Reihe Nacht Folge Staffel Hand Ausgabe Flasche Tasse Tür Straße Stadt Idee Frage Antwort
    Nachricht Mail E-Mail Datei Zeile Spalte Katze Tochter Schwester Mutter Uhrzeit Rupie Kalorie Karte Portion
    Dosis Tablette Packung Dose Scheibe Gruppe Aufgabe Regel Chance Kugel Pause Sache Art Welt Kraft Zahl
""")
)
NEUTER = frozenset(
    words("""
    Kapitel Mal Buch Jahrhundert Jahrtausend Quartal Semester Halbjahr Spiel Bild Kind Tor Gebot Jahr Haus Auto
    Stück Zimmer Obergeschoss Geschoss Viertel Drittel Gleis Fach Rennen Treffen Beispiel Wort Lied Album
""")
)

KINGS = words("""
    Ludwig Heinrich Friedrich Wilhelm Karl Otto Georg Johannes Johann Paul Pius Benedikt Leo Franz Joseph Peter
    Philipp Leopold Maximilian Alexander Nikolaus Napoleon Rudolf Konrad Richard Gregor Innozenz Urban Klemens
    Gustav Christian Albert Ferdinand Ramses August Eduard Jakob Harald Felipe Charles Ivan Iwan Xerxes Darius Ernst
    Sigismund
""")
QUEENS = words("""
    Elisabeth Katharina Margrethe Maria Johanna Elizabeth Isabella Kleopatra Beatrix Christina
""")

ACCUSATIVE = frozenset(
    words("""
    kostet kosten kostete kosteten zahlt zahle zahlen zahlte bezahlt bezahle bezahlen hat habe haben hatte braucht
    brauche brauchen dauert dauerte misst wiegt nimm nehmen nimmt gib gibt für um ohne durch spart sparen verdient fast
""")
)
"""Words after which a single masculine thing is "einen"."""

THINGS = {"€": "Euro", "EUR": "Euro", "$": "Dollar", "Tag": "Tag", "m": "Meter", "km": "Kilometer", "l": "Liter"} | {
    word: word for word in ("Euro", "Dollar", "Monat", "Meter", "Kilometer", "Liter", "Franken")
}

YEARS = frozenset(
    words("""
    jahr jahre jahres jahren seit von bis ab um anno sommer winter herbst frühling frühjahr und zwischen januar
    februar märz april mai juni juli august september oktober november dezember
""")
)

PARTS = {3: "Drittel", 4: "Viertel", 5: "Fünftel", 6: "Sechstel", 7: "Siebtel", 8: "Achtel", 9: "Neuntel"} | {
    10: "Zehntel", 12: "Zwölftel", 16: "Sechzehntel", 20: "Zwanzigstel", 100: "Hundertstel",
}  # fmt: skip

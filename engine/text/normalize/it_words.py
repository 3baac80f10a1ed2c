"""Italian words: what is counted, what is short for what, what is no noun."""

from __future__ import annotations

from engine.text.normalize.common import Signs
from engine.text.normalize.tables import words
from engine.text.normalize.tongue import Tongue, nouns

_UNITS = nouns("""
    %: per cento, -
    ‰: per mille, -
    km: chilometro, chilometri
    m: metro, metri
    dm: decimetro, decimetri
    cm: centimetro, centimetri
    mm: millimetro, millimetri
    µm μm: micrometro, micrometri
    km²: chilometro quadrato, chilometri quadrati
    m² mq: metro quadrato, metri quadrati
    cm²: centimetro quadrato, centimetri quadrati
    m³ mc: metro cubo, metri cubi
    cm³: centimetro cubo, centimetri cubi
    ha: ettaro, ettari
    km/h: chilometro orario, chilometri orari
    m/s: metro al secondo, metri al secondo
    kg: chilogrammo, chilogrammi
    g: grammo, grammi
    mg: milligrammo, milligrammi
    µg μg: microgrammo, microgrammi
    t: tonnellata, tonnellate, f
    l L: litro, litri
    ml mL: millilitro, millilitri
    cl cL: centilitro, centilitri
    h ora ore: ora, ore, f
    min: minuto, minuti
    s sec: secondo, secondi
    ms: millisecondo, millisecondi
    °: grado, gradi
    °C ºC ℃: grado Celsius, gradi Celsius
    °F: grado Fahrenheit, gradi Fahrenheit
    kWh: chilowattora, chilowattora
    MWh: megawattora, megawattora
    W: watt
    kW: chilowatt
    MW: megawatt
    GW: gigawatt
    V: volt
    mAh: milliampereora, milliampereora
    Hz: hertz
    kHz: chilohertz
    MHz: megahertz
    GHz: gigahertz
    kB KB: kilobyte
    MB: megabyte
    GB: gigabyte
    TB: terabyte
    Mbit/s Mb/s Mbps: megabit al secondo
    dB: decibel
    bar: bar
    hPa: ettopascal
    kcal: chilocaloria, chilocalorie, f
    kJ: chilojoule
    CV: cavallo, cavalli
""")

_MONEY = nouns("""
    € EUR euro: euro
    $ USD US$ dollaro dollari: dollaro, dollari
    £ GBP: sterlina, sterline, f
    ¥ JPY: yen
    CHF: franco svizzero, franchi svizzeri
    zł PLN: zloty
    ₽ RUB: rublo, rubli
    ₹ INR: rupia, rupie, f
""")

_CENTS = nouns("""
    € EUR euro: centesimo, centesimi
    $ USD US$ dollaro dollari: centesimo, centesimi
    £ GBP: penny, pence
    CHF: centesimo, centesimi
""")

_MAGNITUDES = nouns("""
    milione milioni mln Mln: milione, milioni
    miliardo miliardi mld Mld mrd: miliardo, miliardi
""")

TONGUE = Tongue(
    language="it",
    rules={"m": "spellout-cardinal-masculine", "f": "spellout-cardinal-feminine"},
    comma="virgola",
    signs={"-": "meno", "+": "più", "±": "più o meno"},
    units=_UNITS,
    money=_MONEY,
    cents=_CENTS,
    magnitudes=_MAGNITUDES,
    cent_word="{whole} e {part}",
    of="di {}".format,
    elide=lambda counted: f"un'{counted[4:]}" if counted.startswith(("una a", "una o", "una e", "una i")) else counted,
    tidy=lambda words: words + "o" if words.endswith(("un", "ntun")) and len(words) > 2 else words,
)

ADDRESSES = Signs(
    "it",
    {
        ".": "punto",
        "@": "chiocciola",
        "/": "barra",
        "-": "trattino",
        "_": "trattino basso",
        ":": "due punti",
        "+": "più",
    },
    "eccetera",
)

SIGNS = {"&": "e", "+": "più", "=": "uguale", "@": "chiocciola", "§": "paragrafo", "×": "per", "≈": "circa"} | {
    "~": "circa", "±": "più o meno", "÷": "diviso", "%": "per cento", "‰": "per mille", "€": "euro", "$": "dollari",
    "£": "sterline", "°C": "gradi Celsius", "°": "gradi", "≤": "al massimo", "≥": "almeno",
}  # fmt: skip

ABBREVIATIONS = """
    p. es. = per esempio
    ad es. = ad esempio
    es. = esempio
    ecc. = eccetera
    etc. = eccetera
    a. C. = avanti Cristo
    d. C. = dopo Cristo
    Sig. = signor
    sig. = signor
    Sig.ra = signora
    sig.ra = signora
    Sig.na = signorina
    Sigg. = signori
    Dott. = dottor
    dott. = dottor
    Dott.ssa = dottoressa
    dott.ssa = dottoressa
    Dr. = dottor
    Prof. = professor
    prof. = professor
    Prof.ssa = professoressa
    Ing. = ingegner
    Avv. = avvocato
    Arch. = architetto
    On. = onorevole
    S. p. A. = società per azioni
    S. r. l. = società a responsabilità limitata
    pag. = pagina
    pagg. = pagine
    cap. = capitolo
    vol. = volume
    art. = articolo
    fig. = figura
    n. = numero
    nr. = numero
    N. = numero
    tel. = telefono
    Tel. = telefono
    ca. = circa
    cfr. = confronta
    v. = vedi
    max. = massimo
    min. = minimo
    P.za = piazza
    P.zza = piazza
    V.le = viale
    C.so = corso
    vs. = contro
"""

ACRONYMS = "USA UE IA API URL USB PIL DNA OK IP ID UV"

MONTHS = ["", *words("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre")]

NO_NOUNS = frozenset(
    words("""
    a ad al alla alle ai agli all anche che chi come con contro da dal dalla dai dalle dagli del della dei delle
    degli di e ed è era erano fa fino fra fu ha hanno i il in io la le lo lui ma meno mi ne nei nel nella nelle né
    non o od per più poi quando quello questo quindi se sei senza si solo sono sopra sotto su sul sulla tra tu un
    una uno voi mentre oppure perché però diviso uguale
""")
)
FEMININE = frozenset(
    words("""
    notte parte classe madre mano chiave neve luce voce frase nave stazione croce rete arte carne gente legge mente
    foto moto radio auto torre
""")
)
MASCULINE = frozenset(
    words("""
    problema programma sistema tema pianeta poema clima diploma panorama dramma telegramma
""")
)

KINGS = words("""
    Luigi Vittorio Emanuele Umberto Carlo Alberto Felice Enrico Federico Guglielmo Giovanni Paolo Benedetto Pio
    Leone Francesco Giuseppe Pietro Filippo Napoleone Giorgio Edoardo Riccardo Nicola Alessandro Gregorio Innocenzo
    Urbano Clemente Ramses Leopoldo Massimiliano Ferdinando Amedeo Ottone Rodolfo Bonifacio Sisto Giulio Cosimo
    Felipe
""")
QUEENS = words("Elisabetta Caterina Giovanna Maria Margherita Cleopatra Cristina Anna Isabella")

PARTS = {3: "terzo", 4: "quarto", 5: "quinto", 6: "sesto", 7: "settimo", 8: "ottavo", 9: "nono", 10: "decimo"}

"""French words: what is counted, what is short for what, what is feminine."""

from __future__ import annotations

from engine.text.normalize.common import Signs
from engine.text.normalize.tables import words
from engine.text.normalize.tongue import Tongue, below_two, nouns

_UNITS = nouns("""
    %: pour cent, -
    ‰: pour mille, -
    km: kilomètre, kilomètres
    m: mètre, mètres
    dm: décimètre, décimètres
    cm: centimètre, centimètres
    mm: millimètre, millimètres
    µm μm: micromètre, micromètres
    nm: nanomètre, nanomètres
    km²: kilomètre carré, kilomètres carrés
    m²: mètre carré, mètres carrés
    cm²: centimètre carré, centimètres carrés
    m³: mètre cube, mètres cubes
    cm³: centimètre cube, centimètres cubes
    ha: hectare, hectares
    km/h: kilomètre heure, kilomètres heure
    m/s: mètre par seconde, mètres par seconde
    kg: kilogramme, kilogrammes
    g: gramme, grammes
    mg: milligramme, milligrammes
    µg μg: microgramme, microgrammes
    t: tonne, tonnes, f
    l L: litre, litres
    ml mL: millilitre, millilitres
    cl cL: centilitre, centilitres
    heure: heure, heures, f
    min mn: minute, minutes, f
    s sec: seconde, secondes, f
    ms: milliseconde, millisecondes, f
    j: jour, jours
    °: degré, degrés
    °C ℃: degré Celsius, degrés Celsius
    °F: degré Fahrenheit, degrés Fahrenheit
    kWh: kilowattheure, kilowattheures
    MWh: mégawattheure, mégawattheures
    Wh: wattheure, wattheures
    W: watt, watts
    kW: kilowatt, kilowatts
    MW: mégawatt, mégawatts
    GW: gigawatt, gigawatts
    V: volt, volts
    mAh: milliampère-heure, milliampères-heure
    mA: milliampère, milliampères
    Hz: hertz
    kHz: kilohertz
    MHz: mégahertz
    GHz: gigahertz
    ko Ko kB KB: kilo-octet, kilo-octets
    Mo MB: mégaoctet, mégaoctets
    Go GB: gigaoctet, gigaoctets
    To TB: téraoctet, téraoctets
    Mbit/s Mb/s: mégabit par seconde, mégabits par seconde
    dB: décibel, décibels
    bar: bar, bars
    hPa: hectopascal, hectopascals
    kcal: kilocalorie, kilocalories, f
    kJ: kilojoule, kilojoules
    ch: cheval, chevaux
""")

_MONEY = nouns("""
    € EUR euro euros: euro, euros
    k€: mille euros
    M€: million d'euros, millions d'euros
    Md€ Mds€ Mrd€: milliard d'euros, milliards d'euros
    $ USD US$ dollar dollars: dollar, dollars
    $CA CAD $ca: dollar canadien, dollars canadiens
    £ GBP: livre sterling, livres sterling, f
    ¥ JPY: yen, yens
    CHF: franc suisse, francs suisses
    zł PLN: zloty, zlotys
    ₽ RUB: rouble, roubles
    ₹ INR: roupie, roupies, f
""")

_CENTS = nouns("""
    € EUR euro euros: centime, centimes
    $ USD US$ dollar dollars: cent, cents
    $CA CAD $ca: cent, cents
    £ GBP: penny, pence
    CHF: centime, centimes
""")

_MAGNITUDES = nouns("""
    million millions: million, millions
    milliard milliards Md Mds Mrd Mrds: milliard, milliards
    billion billions: billion, billions
""")


def _of(noun: str) -> str:
    return f"d'{noun}" if noun[0] in "aeiouyéèêhAEIOUÉH" else f"de {noun}"


TONGUE = Tongue(
    language="fr",
    rules={"m": "spellout-cardinal-masculine", "f": "spellout-cardinal-feminine"},
    comma="virgule",
    signs={"-": "moins", "+": "plus", "±": "plus ou moins"},
    units=_UNITS,
    money=_MONEY,
    cents=_CENTS,
    magnitudes=_MAGNITUDES,
    of=_of,
    form=below_two,
)

ADDRESSES = Signs(
    "fr",
    {".": "point", "@": "arobase", "/": "slash", "-": "tiret", "_": "tiret bas", ":": "deux-points", "+": "plus"},
    "et cetera",
)

SIGNS = {"&": "et", "+": "plus", "=": "égale", "@": "arobase", "§": "paragraphe", "×": "fois", "≈": "environ"} | {
    "~": "environ", "±": "plus ou moins", "÷": "divisé par", "%": "pour cent", "‰": "pour mille", "€": "euros",
    "$": "dollars", "£": "livres", "°C": "degrés Celsius", "°": "degrés", "≤": "au plus", "≥": "au moins",
}  # fmt: skip

ABBREVIATIONS = """
    p. ex. = par exemple
    c.-à-d. = c'est-à-dire
    c.-à-d = c'est-à-dire
    càd = c'est-à-dire
    M. = monsieur
    MM. = messieurs
    Mme = madame
    Mmes = mesdames
    Mlle = mademoiselle
    Mlles = mesdemoiselles
    Dr = docteur
    Dr. = docteur
    Pr = professeur
    Me = maître
    St = saint
    Ste = sainte
    etc. = et cetera
    cf. = confer
    env. = environ
    av. J.-C. = avant Jésus-Christ
    apr. J.-C. = après Jésus-Christ
    ap. J.-C. = après Jésus-Christ
    av. = avenue
    bd = boulevard
    bd. = boulevard
    bld = boulevard
    tél. = téléphone
    Tél. = téléphone
    no. = numéro
    art. = article
    chap. = chapitre
    vol. = volume
    fig. = figure
    éd. = édition
    max. = maximum
    min. = minimum
    hab. = habitants
    RDV = rendez-vous
    rdv = rendez-vous
    SVP = s'il vous plaît
    svp = s'il vous plaît
    p. = page
    pp. = pages
    vs = contre
    vs. = contre
"""

ACRONYMS = "USA UE EU ONG IA API URL URLs USB PIB EDF RATP ADN IRM OK AG IP ID UV UE QI"

MONTHS = ["", *words("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")]

FEMININE = frozenset(
    words("""
    heure minute seconde semaine année journée soirée personne fois page tonne livre femme fille maison voiture rue
    ville pièce chambre place porte table chaise tasse cuillère cuillerée bouteille boîte carte lettre ligne phrase
    classe équipe partie étape édition saison série guerre loi république rangée scène édition photo image vidéo
    demande réponse erreur idée chose pomme orange fleur dose tablette tranche part moitié étoile école langue nuit
    région roupie fenêtre calorie mère sœur tante voix fraise carotte assiette salle île vache clé zone base
""")
)

KINGS = words("""
    Louis François Henri Charles Napoléon Philippe Jean Paul Pie Benoît Léon Guillaume Frédéric Georges Édouard
    Jacques Richard Pierre Alexandre Nicolas Ferdinand Alphonse Albert Léopold Grégoire Innocent Urbain Clément
    Ramsès Robert Jean-Paul Baudouin Rainier Hassan Mohammed Carl Gustave Otton Joseph Rodolphe Maximilien Felipe
    Juan
""")
QUEENS = words("""
    Élisabeth Elizabeth Elisabeth Catherine Marie Isabelle Margrethe Jeanne Cléopâtre Christine Anne
""")

PARTS = {2: "demi", 3: "tiers", 4: "quart"}

"""Polish words: what is counted in all its forms, what is short for what."""

from __future__ import annotations

from engine.text.normalize.common import Signs
from engine.text.normalize.figures import Figure
from engine.text.normalize.tables import words
from engine.text.normalize.tongue import Tongue, nouns

_UNITS = nouns("""
    %: procent, procent, procent, procent
    ‰: promil, promile, promili, promila
    km: kilometr, kilometry, kilometrów, kilometra
    m: metr, metry, metrów, metra
    dm: decymetr, decymetry, decymetrów, decymetra
    cm: centymetr, centymetry, centymetrów, centymetra
    mm: milimetr, milimetry, milimetrów, milimetra
    µm μm: mikrometr, mikrometry, mikrometrów, mikrometra
    km²: kilometr kwadratowy, kilometry kwadratowe, kilometrów kwadratowych, kilometra kwadratowego
    m²: metr kwadratowy, metry kwadratowe, metrów kwadratowych, metra kwadratowego
    cm²: centymetr kwadratowy, centymetry kwadratowe, centymetrów kwadratowych, centymetra kwadratowego
    m³: metr sześcienny, metry sześcienne, metrów sześciennych, metra sześciennego
    ha: hektar, hektary, hektarów, hektara
    km/h: kilometr na godzinę, kilometry na godzinę, kilometrów na godzinę, kilometra na godzinę
    m/s: metr na sekundę, metry na sekundę, metrów na sekundę, metra na sekundę
    kg: kilogram, kilogramy, kilogramów, kilograma
    g: gram, gramy, gramów, grama
    dag: dekagram, dekagramy, dekagramów, dekagrama
    mg: miligram, miligramy, miligramów, miligrama
    µg μg: mikrogram, mikrogramy, mikrogramów, mikrograma
    t: tona, tony, ton, tony, f
    l L: litr, litry, litrów, litra
    ml mL: mililitr, mililitry, mililitrów, mililitra
    h godz.: godzina, godziny, godzin, godziny, f
    min min.: minuta, minuty, minut, minuty, f
    s sek sek.: sekunda, sekundy, sekund, sekundy, f
    ms: milisekunda, milisekundy, milisekund, milisekundy, f
    °: stopień, stopnie, stopni, stopnia
    °C ℃: stopień Celsjusza, stopnie Celsjusza, stopni Celsjusza, stopnia Celsjusza
    °F: stopień Fahrenheita, stopnie Fahrenheita, stopni Fahrenheita, stopnia Fahrenheita
    kWh: kilowatogodzina, kilowatogodziny, kilowatogodzin, kilowatogodziny, f
    MWh: megawatogodzina, megawatogodziny, megawatogodzin, megawatogodziny, f
    W: wat, waty, watów, wata
    kW: kilowat, kilowaty, kilowatów, kilowata
    MW: megawat, megawaty, megawatów, megawata
    GW: gigawat, gigawaty, gigawatów, gigawata
    V: wolt, wolty, woltów, wolta
    mAh: miliamperogodzina, miliamperogodziny, miliamperogodzin, miliamperogodziny, f
    Hz: herc, herce, herców, herca
    kHz: kiloherc, kiloherce, kiloherców, kiloherca
    MHz: megaherc, megaherce, megaherców, megaherca
    GHz: gigaherc, gigaherce, gigaherców, gigaherca
    kB KB: kilobajt, kilobajty, kilobajtów, kilobajta
    MB: megabajt, megabajty, megabajtów, megabajta
    GB: gigabajt, gigabajty, gigabajtów, gigabajta
    TB: terabajt, terabajty, terabajtów, terabajta
    dB: decybel, decybele, decybeli, decybela
    bar: bar, bary, barów, bara
    hPa: hektopaskal, hektopaskale, hektopaskali, hektopaskala
    kcal: kilokaloria, kilokalorie, kilokalorii, kilokalorii, f
    kJ: kilodżul, kilodżule, kilodżuli, kilodżula
    KM: koń mechaniczny, konie mechaniczne, koni mechanicznych, konia mechanicznego
    szt.: sztuka, sztuki, sztuk, sztuki, f
""")

_MONEY = nouns("""
    zł PLN złotych: złoty, złote, złotych, złotego
    € EUR euro: euro, n
    $ USD US$: dolar, dolary, dolarów, dolara
    £ GBP: funt, funty, funtów, funta
    ¥ JPY: jen, jeny, jenów, jena
    CHF: frank szwajcarski, franki szwajcarskie, franków szwajcarskich, franka szwajcarskiego
    ₽ RUB: rubel, ruble, rubli, rubla
    gr: grosz, grosze, groszy, grosza
""")

_CENTS = nouns("""
    zł PLN złotych: grosz, grosze, groszy, grosza
    € EUR euro $ USD US$: cent, centy, centów, centa
    £ GBP: pens, pensy, pensów, pensa
    CHF: rapp, rappy, rappów, rappa
""")

_MAGNITUDES = nouns("""
    tys. tysięcy: tysiąc, tysiące, tysięcy, tysiąca
    mln mln. milionów: milion, miliony, milionów, miliona
    mld mld. miliardów: miliard, miliardy, miliardów, miliarda
    bln: bilion, biliony, bilionów, biliona
""")


def form(number: Figure) -> int:
    """One, two to four, five and more, a part."""
    if number.part:
        return 3
    if number.is_one:
        return 0
    tens, ones = number.value % 100 // 10, number.value % 10
    return 1 if 2 <= ones <= 4 and tens != 1 else 2


TONGUE = Tongue(
    language="pl",
    rules={"m": "spellout-cardinal-masculine", "f": "spellout-cardinal-feminine", "n": "spellout-cardinal-neuter"}
    | {"of": "spellout-cardinal-masculine-genitive", "her": "spellout-cardinal-feminine-accusative"},
    comma="przecinek",
    signs={"-": "minus", "+": "plus", "±": "plus minus"},
    units=_UNITS,
    money=_MONEY,
    cents=_CENTS,
    magnitudes=_MAGNITUDES,
    cent_word="{whole} {cents}",
    form=form,
    between="of",
)

ADDRESSES = Signs(
    "pl",
    {".": "kropka", "@": "małpa", "/": "ukośnik", "-": "myślnik", "_": "podkreślnik", ":": "dwukropek", "+": "plus"},
    "i tak dalej",
)

SIGNS = {"&": "i", "+": "plus", "=": "równa się", "@": "małpa", "§": "paragraf", "×": "razy", "≈": "około"} | {
    "~": "około", "±": "plus minus", "÷": "podzielić przez", "%": "procent", "‰": "promil", "€": "euro",
    "$": "dolarów", "£": "funtów", "°C": "stopni Celsjusza", "°": "stopni", "≤": "co najwyżej",
    "≥": "co najmniej",
}  # fmt: skip

ABBREVIATIONS = """
    np. = na przykład
    Np. = na przykład
    tj. = to jest
    tzn. = to znaczy
    tzw. = tak zwany
    itd. = i tak dalej
    itp. = i tym podobne
    m. in. = między innymi
    m.in. = między innymi
    p. n. e. = przed naszą erą
    n. e. = naszej ery
    ok. = około
    ul. = ulica
    al. = aleja
    pl. = plac
    os. = osiedle
    nr = numer
    Nr = numer
    str. = strona
    s. = strona
    rozdz. = rozdział
    art. = artykuł
    ust. = ustęp
    pkt = punkt
    tab. = tabela
    rys. = rysunek
    dr = doktor
    prof. = profesor
    mgr = magister
    inż. = inżynier
    hab. = habilitowany
    gen. = generał
    św. = święty
    ks. = ksiądz
    tel. = telefon
    Tel. = telefon
    godz. = godzina
    wg = według
    ww. = wyżej wymieniony
    ds. = do spraw
    woj. = województwo
    pow. = powiat
    max. = maksymalnie
    min. = minimum
    zob. = zobacz
    por. = porównaj
    vs. = kontra
    sp. z o.o. = spółka z ograniczoną odpowiedzialnością
"""

ACRONYMS = "USA UE AI API URL USB PKB DNA OK IP ID UV IQ ONZ AGD RTV"

MONTHS = [
    "",
    *words("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"),
]

KINGS = words("""
    Jan Paweł Zygmunt Kazimierz Władysław Bolesław Mieszko Stefan August Ludwik Karol Henryk Filip Fryderyk Wilhelm
    Mikołaj Aleksander Piotr Iwan Franciszek Benedykt Pius Leon Grzegorz Innocenty Urban Klemens Ramzes Napoleon
    Jerzy Edward Ryszard Otton Rudolf Leopold Przemysł Wacław Olbracht Juan Felipe Gustaw
""")
KINGS_OF = words("""
    Jana Pawła Zygmunta Kazimierza Władysława Bolesława Mieszka Stefana Augusta Ludwika Karola Henryka Filipa
    Fryderyka Wilhelma Mikołaja Aleksandra Piotra Iwana Franciszka Benedykta Piusa Leona Grzegorza Innocentego
    Urbana Klemensa Ramzesa Napoleona Jerzego Edwarda Ryszarda Ottona Rudolfa Leopolda Przemysła Wacława Gustawa
""")
QUEENS = words("Elżbieta Katarzyna Maria Izabela Małgorzata Kleopatra Krystyna Anna Joanna")
QUEENS_OF = words("Elżbiety Katarzyny Marii Izabeli Małgorzaty Kleopatry Krystyny Anny Joanny")

FEMININE = frozenset(
    words("""
    godzina godziny godzin minuta minuty minut sekunda sekundy sekund strona strony osoba osoby kobieta kobiety
    książka książki noc noce tona tony klasa klasy szklanka szklanki łyżka łyżki łyżeczka łyżeczki sztuka sztuki
    butelka butelki ulica ulice część części rzecz rzeczy córka córki siostra siostry koszulka koszulki dziewczyna
    dziewczyny dziewczynka dziewczynki firma firmy liczba liczby próba próby runda rundy grupa grupy rata raty
    kropla krople
""")
)
NEUTER = frozenset(words("dziecko miejsce miasto okno słowo zdanie zdjęcie pytanie jabłko jajko piwo euro"))

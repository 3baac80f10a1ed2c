"""Portuguese words, of Brazil and of Portugal: what is counted, what is short for what, what is no noun."""

from __future__ import annotations

from dataclasses import replace

from engine.text.normalize.common import Signs
from engine.text.normalize.tables import words
from engine.text.normalize.tongue import Tongue, below_two, nouns

_UNITS = """
    %: por cento, -
    ‰: por mil, -
    km: quilômetro, quilômetros
    m: metro, metros
    dm: decímetro, decímetros
    cm: centímetro, centímetros
    mm: milímetro, milímetros
    µm μm: micrômetro, micrômetros
    km²: quilômetro quadrado, quilômetros quadrados
    m²: metro quadrado, metros quadrados
    cm²: centímetro quadrado, centímetros quadrados
    m³: metro cúbico, metros cúbicos
    cm³: centímetro cúbico, centímetros cúbicos
    ha: hectare, hectares
    km/h: quilômetro por hora, quilômetros por hora
    m/s: metro por segundo, metros por segundo
    kg: quilo, quilos
    g: grama, gramas
    mg: miligrama, miligramas
    µg μg: micrograma, microgramas
    t: tonelada, toneladas, f
    l L: litro, litros
    ml mL: mililitro, mililitros
    cl cL: centilitro, centilitros
    hora: hora, horas, f
    min: minuto, minutos
    s seg: segundo, segundos
    ms: milissegundo, milissegundos
    °: grau, graus
    °C ºC ℃: grau Celsius, graus Celsius
    °F ºF: grau Fahrenheit, graus Fahrenheit
    kWh: quilowatt-hora, quilowatts-hora
    MWh: megawatt-hora, megawatts-hora
    W: watt, watts
    kW: quilowatt, quilowatts
    MW: megawatt, megawatts
    GW: gigawatt, gigawatts
    V: volt, volts
    mAh: miliampere-hora, miliamperes-hora
    Hz: hertz
    kHz: quilohertz
    MHz: megahertz
    GHz: gigahertz
    kB KB: quilobyte, quilobytes
    MB: megabyte, megabytes
    GB: gigabyte, gigabytes
    TB: terabyte, terabytes
    Mbit/s Mb/s Mbps: megabit por segundo, megabits por segundo
    dB: decibel, decibéis
    bar: bar, bares
    hPa: hectopascal, hectopascais
    kcal: quilocaloria, quilocalorias, f
    kJ: quilojoule, quilojoules
    cv: cavalo, cavalos
"""

_MONEY = nouns("""
    € EUR euro euros: euro, euros
    R$ BRL real reais: real, reais
    $ USD US$ dólar dólares: dólar, dólares
    £ GBP: libra, libras, f
    ¥ JPY: iene, ienes
    CHF: franco suíço, francos suíços
    zł PLN: zloty, zlotys
    ₽ RUB: rublo, rublos
    ₹ INR: rupia, rupias, f
""")

_CENTS = """
    € EUR euro euros: cêntimo, cêntimos
    R$ BRL real reais: centavo, centavos
    $ USD US$ dólar dólares: centavo, centavos
    £ GBP: pêni, pence
    CHF: cêntimo, cêntimos
"""

_MAGNITUDES = """
    milhão milhões mi Mi: milhão, milhões
    bilhão bilhões bi Bi: bilhão, bilhões
    trilhão trilhões: trilhão, trilhões
"""

BRAZIL = Tongue(
    language="pt",
    rules={"m": "spellout-cardinal-masculine", "f": "spellout-cardinal-feminine"},
    comma="vírgula",
    signs={"-": "menos", "+": "mais", "±": "mais ou menos"},
    units=nouns(_UNITS),
    money=_MONEY,
    cents=nouns(_CENTS),
    magnitudes=nouns(_MAGNITUDES),
    cent_word="{whole} e {cents}",
    of="de {}".format,
    form=below_two,
)

PORTUGAL = replace(BRAZIL, language="pt_PT", units=nouns(_UNITS.replace("ômetro", "ómetro")))

ADDRESSES = Signs(
    "pt",
    {".": "ponto", "@": "arroba", "/": "barra", "-": "traço", "_": "sublinhado", ":": "dois pontos", "+": "mais"},
    "et cetera",
)

SIGNS = {"&": "e", "+": "mais", "=": "igual a", "@": "arroba", "§": "parágrafo", "×": "vezes", "≈": "cerca de"} | {
    "~": "cerca de", "±": "mais ou menos", "÷": "dividido por", "%": "por cento", "‰": "por mil", "€": "euros",
    "R$": "reais", "$": "dólares", "£": "libras", "°C": "graus Celsius", "°": "graus", "≤": "no máximo",
    "≥": "no mínimo",
}  # fmt: skip

ABBREVIATIONS = """
    p. ex. = por exemplo
    i. e. = isto é
    a. C. = antes de Cristo
    d. C. = depois de Cristo
    Sr. = senhor
    Sra. = senhora
    Sr.ª = senhora
    Srs. = senhores
    Srta. = senhorita
    Dr. = doutor
    Dra. = doutora
    Dr.ª = doutora
    Prof. = professor
    Profa. = professora
    Prof.ª = professora
    Eng. = engenheiro
    D. = dom
    Sto. = santo
    Sta. = santa
    etc. = et cetera
    aprox. = aproximadamente
    n.º = número
    nº = número
    N.º = número
    Nº = número
    pág. = página
    págs. = páginas
    cap. = capítulo
    vol. = volume
    art. = artigo
    fig. = figura
    tel. = telefone
    Tel. = telefone
    Av. = avenida
    R. = rua
    máx. = máximo
    mín. = mínimo
    vs. = contra
    EUA = Estados Unidos
    E.U.A. = Estados Unidos
"""

ACRONYMS = "UE IA API URL URLs USB PIB ADN DNA IP ID UV QI"

MONTHS = ["", *words("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro")]

NO_NOUNS = frozenset(
    words("""
    a à ao aos às ante até com como contra cuja da das de dela dele do dos e é ela elas ele eles em entre era eram
    esta este está foi foram já lhe mais mas me menos na nas nem no nos não o os ou para pela pelo por porque quando
    que quem se sem ser seu sob sobre sua são também te tem têm um uma vezes às dividido igual
""")
)
FEMININE = frozenset(
    words("""
    noite noites vez mulher mulheres classe classes parte partes chave chaves tarde tardes nuvem nuvens flor flores
    mão mãos torre torres base bases série séries voz vozes luz luzes rede redes frase frases foto fotos moto motos
""")
)
MASCULINE = frozenset(
    words("""
    dia dias mapa mapas problema problemas programa programas sistema sistemas tema temas planeta planetas idioma
    idiomas grama gramas quilograma quilogramas poema poemas clima cometa artista artistas turista turistas sofá
    sofás
""")
)

KINGS = words("""
    Pedro João Luís Manuel Afonso Sancho Dinis Duarte Sebastião Henrique Filipe José Miguel Carlos Fernando Paulo
    Bento Pio Leão Napoleão Guilherme Frederico Jorge Eduardo Ricardo Francisco Nicolau Alexandre Gregório Inocêncio
    Urbano Clemente Ramsés Alberto Leopoldo Maximiliano Felipe Rodolfo Ivan Gustavo Otão
""")
QUEENS = words("""
    Isabel Elizabeth Elisabete Catarina Joana Maria Margarida Cleópatra Cristina Ana
""")

PARTS = {3: "terço", 4: "quarto", 5: "quinto", 6: "sexto", 7: "sétimo", 8: "oitavo", 9: "nono", 10: "décimo"}

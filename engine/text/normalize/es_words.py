"""Spanish words: what is counted, what is short for what, what is no noun."""

from __future__ import annotations

from dataclasses import replace

from engine.text.normalize.common import Signs
from engine.text.normalize.tables import words
from engine.text.normalize.tongue import Noun, Tongue, nouns

_UNITS = nouns("""
    %: por ciento, -
    ‰: por mil, -
    km: kilómetro, kilómetros
    m: metro, metros
    dm: decímetro, decímetros
    cm: centímetro, centímetros
    mm: milímetro, milímetros
    µm μm: micrómetro, micrómetros
    nm: nanómetro, nanómetros
    km²: kilómetro cuadrado, kilómetros cuadrados
    m²: metro cuadrado, metros cuadrados
    cm²: centímetro cuadrado, centímetros cuadrados
    m³: metro cúbico, metros cúbicos
    cm³: centímetro cúbico, centímetros cúbicos
    ha: hectárea, hectáreas, f
    km/h: kilómetro por hora, kilómetros por hora
    m/s: metro por segundo, metros por segundo
    kg: kilogramo, kilogramos
    g: gramo, gramos
    mg: miligramo, miligramos
    µg μg: microgramo, microgramos
    t: tonelada, toneladas, f
    l L: litro, litros
    ml mL: mililitro, mililitros
    cl cL: centilitro, centilitros
    h hora horas: hora, horas, f
    min: minuto, minutos
    s seg seg.: segundo, segundos
    ms: milisegundo, milisegundos
    °: grado, grados
    °C ºC ℃: grado centígrado, grados centígrados
    °F ºF: grado Fahrenheit, grados Fahrenheit
    kWh: kilovatio hora, kilovatios hora
    MWh: megavatio hora, megavatios hora
    W: vatio, vatios
    kW: kilovatio, kilovatios
    MW: megavatio, megavatios
    GW: gigavatio, gigavatios
    V: voltio, voltios
    mAh: miliamperio hora, miliamperios hora
    mA: miliamperio, miliamperios
    Hz: hercio, hercios
    kHz: kilohercio, kilohercios
    MHz: megahercio, megahercios
    GHz: gigahercio, gigahercios
    kB KB: kilobyte, kilobytes
    MB: megabyte, megabytes
    GB: gigabyte, gigabytes
    TB: terabyte, terabytes
    Mbit/s Mb/s Mbps: megabit por segundo, megabits por segundo
    dB: decibelio, decibelios
    bar: bar, bares
    hPa: hectopascal, hectopascales
    kcal: kilocaloría, kilocalorías, f
    kJ: kilojulio, kilojulios
    CV: caballo, caballos
""")

_MONEY = nouns("""
    € EUR euro euros: euro, euros
    $ USD US$ dólar dólares: dólar, dólares
    £ GBP: libra, libras, f
    ¥ JPY: yen, yenes
    CHF: franco suizo, francos suizos
    MXN: peso, pesos
    zł PLN: esloti, eslotis
    ₽ RUB: rublo, rublos
    ₹ INR: rupia, rupias, f
""")

_CENTS = nouns("""
    € EUR euro euros: céntimo, céntimos
    $ USD US$ dólar dólares: centavo, centavos
    MXN: centavo, centavos
    £ GBP: penique, peniques
    CHF: céntimo, céntimos
""")

_MAGNITUDES = nouns("""
    millón millones mill. M: millón, millones
    billón billones: billón, billones
""")

TONGUE = Tongue(
    language="es",
    rules={"m": "spellout-cardinal-masculine", "f": "spellout-cardinal-feminine"},
    comma="coma",
    signs={"-": "menos", "+": "más", "±": "más menos"},
    units=_UNITS,
    money=_MONEY,
    cents=_CENTS,
    magnitudes=_MAGNITUDES,
    cent_word="{whole} con {part}",
    of="de {}".format,
)

PESOS = replace(
    TONGUE,
    money=TONGUE.money | {"$": Noun(("peso", "pesos"))},
    cents=TONGUE.cents | {"$": Noun(("centavo", "centavos"))},
)
"""Where "$" is not the dollar of the United States."""

ADDRESSES = Signs(
    "es",
    {".": "punto", "@": "arroba", "/": "barra", "-": "guion", "_": "guion bajo", ":": "dos puntos", "+": "más"},
    "etcétera",
)

SIGNS = {"&": "y", "+": "más", "=": "igual a", "@": "arroba", "§": "sección", "×": "por", "≈": "aproximadamente"} | {
    "~": "aproximadamente", "±": "más menos", "÷": "entre", "%": "por ciento", "‰": "por mil", "€": "euros",
    "$": "dólares", "£": "libras", "°C": "grados centígrados", "°": "grados", "≤": "como máximo", "≥": "como mínimo",
}  # fmt: skip

ABBREVIATIONS = """
    p. ej. = por ejemplo
    P. ej. = por ejemplo
    EE. UU. = Estados Unidos
    EE.UU. = Estados Unidos
    EEUU = Estados Unidos
    JJ. OO. = Juegos Olímpicos
    FF. AA. = Fuerzas Armadas
    a. C. = antes de Cristo
    d. C. = después de Cristo
    a. m. = de la mañana
    p. m. = de la tarde
    Sr. = señor
    Sra. = señora
    Srta. = señorita
    Sres. = señores
    Sras. = señoras
    Dr. = doctor
    Dra. = doctora
    Prof. = profesor
    Profa. = profesora
    Lic. = licenciado
    Ing. = ingeniero
    Arq. = arquitecto
    Ud. = usted
    Uds. = ustedes
    Vd. = usted
    Vds. = ustedes
    D. = don
    Dña. = doña
    Sto. = santo
    Sta. = santa
    etc. = etcétera
    aprox. = aproximadamente
    núm. = número
    Núm. = número
    n.º = número
    nº = número
    Nº = número
    N.º = número
    pág. = página
    págs. = páginas
    cap. = capítulo
    vol. = volumen
    art. = artículo
    fig. = figura
    tel. = teléfono
    Tel. = teléfono
    tfno. = teléfono
    Avda. = avenida
    Av. = avenida
    C/ = calle
    máx. = máximo
    mín. = mínimo
    vs. = contra
    S. A. = sociedad anónima
"""

ACRONYMS = "USA UE IA API URL URLs USB PIB ADN OK IP ID UV CI"

MONTHS = ["", *words("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")]

NO_NOUNS = frozenset(
    words("""
    a al ante aunque bajo como con contra cuando cual de del desde donde e el ella ellas ellos en entonces entre era
    es esta este fue ha hacia han hasta hay he la las le les lo los me mi más menos ni no nos o para pero por porque
    pues que quien se según ser si sin sino sobre son su sus también te tras tu un una unos y ya yo u está están
    fueron mientras veces por mayor menor dividido multiplicado igual
""")
)
"""Words after a number that it does not count."""

MASCULINE = frozenset(
    words("""
    día días mapa mapas problema problemas programa programas sistema sistemas tema temas planeta planetas idioma
    idiomas kilograma poema poemas clima climas cometa diagrama diagramas atleta atletas artista artistas turista
    turistas pijama pijamas sofá sofás
""")
)
"""Words in -a that are masculine for all that."""

FEMININE = frozenset(
    words("""
    noche noches vez mujer mujeres clase clases calle calles parte partes llave llaves tarde tardes nube nubes flor
    flores mano manos torre torres leche carne base bases serie series sal voz voces luz luces red redes frase
    frases foto fotos moto motos radio pared paredes miel imagen imágenes
""")
)

KINGS = words("""
    Felipe Carlos Alfonso Fernando Luis Enrique Juan Pablo Benedicto Pío León Pedro Jaime Sancho Napoleón Guillermo
    Federico Jorge Eduardo Ricardo Francisco Nicolás Alejandro Gregorio Inocencio Urbano Clemente Ramsés Alberto
    Leopoldo Maximiliano Amadeo José Ramiro Ordoño Alejandro Otón Rodolfo Iván Gustavo Bermudo Garcés
""")
QUEENS = words("Isabel Catalina Juana María Margarita Cleopatra Cristina Ana Urraca Blanca")

PARTS = {2: "medio", 3: "tercio", 4: "cuarto", 5: "quinto", 6: "sexto", 7: "séptimo", 8: "octavo", 9: "noveno"} | {
    10: "décimo",
}

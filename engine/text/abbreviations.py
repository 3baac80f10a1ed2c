"""Words that a full stop follows without ending the sentence, and the words that begin one, of many languages at once:
the text's own is not known."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto


class Follow(Enum):
    """What decides whether a stop followed by a space ends the sentence."""

    ENDS = auto()  # nothing: it does
    GOES_ON = auto()  # nothing: it never does
    CASE = auto()  # it does unless a lower-case letter follows
    NUMBER = auto()  # as CASE, and not before a number
    STARTER = auto()  # it does only before a word that begins sentences
    CLOCK = auto()  # as CASE, and not before a weekday or a time zone
    DAY = auto()  # as CASE, and not before a month: "am 24. Dezember"
    LINE = auto()  # at a line's end: as CASE, but it does before "b)"
    WRAPPED = auto()  # at the end of a line that is full: it does only before what begins a list's item


def _words(follow: Follow, lines: Iterable[str]) -> dict[str, Follow]:
    return {word: follow for line in lines for word in line.split()}


def _one_of(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


# A word that is one of another language, too, is no abbreviation here, or one that ends before most words.

_GOES_ON = [
    "mr mrs ms mx dr prof messrs e.g i.e eg ie cf viz vs attn",  # English
    "bzw z.b d.h u.a o.g sog vgl zzgl dipl.-ing hrn hl",  # German
    "mme mlle mgr c.-à-d p.ex",  # French
    "sra dra srta sres dña uds p.ej",  # Spanish
    "sig sig.ra dott dott.ssa prof.ssa avv geom cfr p.es",  # Italian
    "srs profa exmo exma",  # Portuguese
    "dhr mevr mw drs bijv d.w.z o.a m.b.t i.p.v",  # Dutch
    "t.ex bl.a f.eks s.k",  # Scandinavian
    "np tzn m.in mgr inż św ks",  # Polish
    "např tzv tj mudr judr",  # Czech
    "т.е т.к т.н г-н г-жа акад проф напр",  # Russian
    "örn bkz doç sn esim π.χ δηλ",  # Turkish, Finnish, Greek
]
_CASE = [
    "etc ft oz lb lbs min max hr hrs sq avg temp deg ibid cit",
    "usw usf o.ä u.ä ecc enz osv o.s.v m.m m.v itd itp atd apod vb yms jne т.д т.п др пр κ.λπ κ.ά",  # "and so on"
    "std sek chr mwst jh jhd v.chr n.chr eaa ex op loc",
    "тыс млн млрд руб коп гг вв н.э",
]
_STARTER = [
    "inc ltd co corp llc bros jr sr st ave blvd rd dept approx al str ph.d esq ret",
    "assn assoc univ bldg hwy pkwy govt intl natl mfg m.sc b.sc m.eng b.eng d.phil ll.m",
    "ee.uu ud vd cía avda depto s.p.a lda ltda gmbh e.v ing mio mrd tsd a.c d.c av ul ул обл",
]
_NUMBER = [
    "no nos nr fig figs p pp vol vols ch chap sec art eq ver jan feb apr aug sept oct nov dec apt tel ext rm est",
    "eqs arts secs par para paras ed eds app tab tbl ln lns fn div sect cl reg rev",
    "abs bd abb kap nrn s.o ziff hs okt dez mär telef",
    "janv févr avr juil déc chap pág págs núm cap pag pagg núms tél éd blz afb hfdst kl",
    "ene abr ago dic fev str rys godz рис стр гл табл",
]
_CLOCK = ["a.m p.m"]

ANY_CASE: dict[str, Follow] = (
    _words(Follow.NUMBER, _NUMBER)
    | _words(Follow.STARTER, _STARTER)
    | _words(Follow.CASE, _CASE)
    | _words(Follow.CLOCK, _CLOCK)
    | _words(Follow.GOES_ON, _GOES_ON)
)
"""Matched in lower case, without the last point."""

_EXACT_GOES_ON = [
    "Gen Sen Rep Rev Hon Capt Col Lt Sgt Maj Adm Cmdr Gov Pres Supt Insp Cpl Pvt Brig Mt Ft",
    "Fr Hr ca evtl ggf inkl exkl bes insb allg MM",
]
_EXACT_NUMBER = ["Mar Jun Jul Sep Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun"]
_EXACT_STARTER = ["Calif Conn Mass Mich Minn Wash Ariz Fla"]

EXACT: dict[str, Follow] = (
    _words(Follow.GOES_ON, _EXACT_GOES_ON)
    | _words(Follow.NUMBER, _EXACT_NUMBER)
    | _words(Follow.STARTER, _EXACT_STARTER)
)
"""Words too when written otherwise: "the sun", "he sat", "CA"."""

STARTERS = _one_of(
    "A An The This That These Those It Its It's He She We They You I His Her Hers Their Our My Your There Here",
    "What When Where Why Who Whose How Which While Although Though If Unless In On At By For From With Without After",
    "Before As And But Or Nor So Then Thus Yet Now Today Tomorrow Yesterday However Meanwhile Moreover Also Because",
    "Since Until Once Is Are Was Were Do Does Did Has Have Had Can Could Would Should Not No Yes Let Please Some Many",
    "Most All Each Every Both Few Several Another Everyone Everybody Nobody Nothing Someone Something Maybe Perhaps",
    "Just Only Even Still Instead Later Soon Finally To Of During Under Between",
    "Der Die Das Ein Eine Er Sie Es Wir Ich Ihr Und Aber Dann Doch Heute Im Am Nach Bei",
    "Elle Elles Nous Vous Une Les Mais Puis Ils Ella Ellos Pero Los Las Una Gli Lei Però",
    "Он Она Они Это Мы Вы Но Как Затем Потом",
)

CLOCK_WORDS = _one_of(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Eastern Central Mountain Pacific",
    "UTC GMT CET CEST BST EST EDT ET CST CDT CT MST MDT MT PST PDT PT",
)

MONTHS = _one_of(
    "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember",
    "January February March May June July October December",
    "Jan Feb Mär Apr Aug Sept Sep Okt Nov Dez",
)

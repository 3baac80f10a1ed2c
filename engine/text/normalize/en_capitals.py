"""English words in capitals: said as words or letter by letter."""

from __future__ import annotations

from functools import lru_cache

import regex

from engine.text.normalize.en_letters import letters
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import word_set

CAPITALS = r"(?<![\p{L}\p{N}_])(?P<caps>[A-Z]{2,40})(?P<s>'?s\b)?(?![\p{L}\p{N}_])"

WORDS = word_set(
    """
    NASA NATO UNESCO UNICEF OPEC FIFA UEFA ASCII LASER RADAR SCUBA NAFTA POTUS SCOTUS COVID AIDS PIN RAM ROM SIM CAT
    SWAT YOLO JPEG GIF BASIC COBOL FORTRAN CRUD REST SOAP DOS LAN WAN VAT IKEA NASDAQ BREXIT ASEAN AWOL CAPTCHA CERN
    COP DEFCON EPCOT FEMA FOMO GUI HAL ICANN INTERPOL JIT KISS LEGO MENSA MIDI MOMA NIMBY OSHA PETA POSIX QWERTY RAID
    SARS SAP SONAR TED TESOL UNIX WASP WYSIWYG ZIP ACID BIOS CISCO DARPA EBIT EBITDA ERASMUS HIPAA NOAA OAuth TOEFL
    YAML JSON LORAN NERF MERS NAND STEM ISO OLED LIDAR EULA PEMDAS
    """
)
"""Said as words, whatever the letters."""

LETTERS = word_set(
    """
    FBI CIA NSA USA US UK EU UN UAE USSR IBM BMW CEO CFO CTO COO API HTML HTTP HTTPS URL URI CSS XML SQL PDF CPU GPU USB
    SSD HDD TV PC DVD CD AI ML LLM GPT NLP IT ID IP TCP UDP DNS SSH SSL TLS VPN RAG AWS GCP SDK IDE CLI DIY FAQ FYI ASAP
    RSVP ETA ATM HIV DNA RNA IRS MIT UCLA NYC LA DC UFO VIP IQ GPS LED LCD AKA WHO WTO IMF EEG ECG MRI NBA NFL NHL MLB
    BBC CNN ABC NBC CBS HBO NGO HR PR QA UX UI BBQ CV MD PhD BA MBA AM PM BC AD BCE CE GDP CPR EMT ICU IVF IPO KPI ROI
    B2B SAT ACT GPA GRE LSAT UTC GMT EST PST CST MST CET EDT PDT CDT SMS MMS OTP SOS DJ MC RPG FPS USD EUR GBP TBA TBD
    AFAIK IMO IMHO BTW OMG LOL WTF NDA SLA SEO SUV UPS FAA FCC FDA EPA DOJ DMV AAA IEEE ACLU NAACP AARP IOU ISBN UUID
    IO OS iOS AC USAF NYPD LAPD UEFI IoT CIO EOD OOO TGIF PTO ATP UV IR OCR ORM EV ICE AR VR XR PIM TTS ASR STT IVR VoIP
    """
)
"""Said as letters, though they look like words or stand in a shouted sentence."""

_AMBIGUOUS = word_set(
    "US IT WHO AM ACT SAT ID LA AD ICE ETA UPS PM MD IO AC CE AI OS"
)  # words as well, when all is shouted

_COMMON = word_set(
    """
    AM AN AS AT BE BY DO GO HE HI IF IN IS IT ME MY NO OF OH ON OR SO TO UP US WE ACT ADD ALL AND ANY ARE ASK BAD
    BUT BUY CAN CAR CAT CUT DAY DID DOG EAT END FAR FEW FOR FUN GET GOD GOT HAD HAS HER HEY HIM HIS HIT HOT HOW ITS JOB
    LET LOT LOW MAN MAY MEN MOM DAD NEW NOT NOW OFF OLD ONE OUR OUT OWN PAY PUT RED RUN SAD SAT SAW SAY SEE SET SHE SIT
    SIX TEN THE TOO TOP TRY TWO USE WAR WAS WAY WHO WHY WIN WON YES YET YOU BED BOX BOY GUY SIR SUN TEA AIR ARM ART BAR
    BIT EYE ICE KEY LAW LEG LIE MAD MIX NET OIL PER RAN SKY SON TIE VAN WET AGO AGE BAG BUS CUP DIE DRY EGG FIT FLY GAS
    SAID STOP THIS THAT WITH HAVE FROM THEY WILL WHAT YOUR WHEN MAKE LIKE TIME JUST KNOW TAKE INTO GOOD SOME THEM THAN
    THEN LOOK ONLY COME OVER BACK WORK WELL EVEN WANT MOST GIVE HELP OPEN SALE FREE HERE HOME LOVE NEED NEVER EVERY DOOR
    CLOSE RIGHT LEFT FIRST THINK THERE THEIR WHICH ABOUT AFTER WOULD COULD THESE OTHER GREAT STILL VERY MUCH MANY LONG
    DOWN AWAY LAST NEXT BEST BEEN WERE DOES DONE GONE WAIT READ CALL SEND SAVE KEEP TURN MUST ALSO DATE NAME LIST NOTE
    BIG HAT JOY KID LAB LAY LIP MAP MUD NOR NUT ODD PEN PET PIE POT RAW RAT ROW RUB SEA SKI SHY TAX TIP TOE TOY WAX ZOO
    """
)
_VOWEL = frozenset("AEIOUY")
_LONG = 6  # letters that hardly any name of letters has
_NEAR = 60  # characters that are looked at for shouting
_SHOUTED = regex.compile(r"[^\p{L}\p{N}]+")

_SPECIAL = {"OK": "okay"}


def say_capitals(found: Match) -> str | None:
    word, s = found["caps"], found["s"] or ""
    if _is_word(word, found):
        return _SPECIAL.get(word, word if word in WORDS else word.lower()) + s
    if word in LETTERS or len(word) <= 3 or not _VOWEL & set(word):
        return letters(word) + ("'s" if s else "")
    return None  # espeak-ng knows best how long ones sound


def _is_word(word: str, found: Match) -> bool:
    if word in _SPECIAL or word in WORDS:
        return True
    if word in LETTERS and word not in _AMBIGUOUS:
        return False
    return (word in _COMMON and word not in LETTERS) or (bool(_VOWEL & set(word)) and _is_shouted(found))


def _is_shouted(found: Match) -> bool:
    """Whether words around it are in capitals, too, and are no names of letters."""
    text = found.string
    run = [found["caps"]]
    for near in (
        reversed(_SHOUTED.split(text[max(0, found.start() - _NEAR) : found.start()])),
        _SHOUTED.split(text[found.end() : found.end() + _NEAR]),
    ):
        for word in near:
            if word and not word.isdecimal():
                if not (word.isupper() and word.isascii()):
                    break
                run.append(word)
    spoken = sum(map(_looks_spoken, run))
    if spoken < 2 or spoken * 2 < len(run):
        return False
    return any(word in _COMMON or len(word) >= _LONG for word in run)  # GNOME, KDE, XFCE are three names


@lru_cache(1024)
def _looks_spoken(word: str) -> bool:
    if word in _COMMON:
        return len(word) > 1
    return len(word) >= 4 and word not in LETTERS and word not in WORDS and bool(_VOWEL & set(word))

"""English amounts of money."""

from __future__ import annotations

from engine.text.normalize.en_numbers import BEFORE, NUMBER, SCALE, number, scaled
from engine.text.normalize.en_units import is_attributive
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import inflected, word_set

_MONEY = inflected("""
$ = dollar
US$ U$ USD = U S dollar
CA$ C$ CAD = Canadian dollar
A$ AU$ AUD = Australian dollar
NZ$ NZD = New Zealand dollar
HK$ HKD = Hong Kong dollar
S$ SGD = Singapore dollar
£ GBP = pound
€ EUR = euro
¥ ￥ JPY = yen, yen
CN¥ CNY RMB = yuan, yuan
₹ INR = rupee
₩ KRW = won, won
₽ RUB = ruble
₺ TRY = lira, lira
₪ ILS = shekel
₫ VND = dong, dong
₴ UAH = hryvnia, hryvnia
R$ BRL = real, reais
MX$ MXN = Mexican peso
CHF = Swiss franc
SEK = Swedish krona, Swedish kronor
NOK = Norwegian krone, Norwegian kroner
DKK = Danish krone, Danish kroner
PLN = zloty, zlotys
CZK = Czech koruna, Czech koruna
HUF = forint, forint
ZAR = rand, rand
₿ BTC = bitcoin
ETH = ether, ether
""")
_CENTS = {"£": ("penny", "pence"), "GBP": ("penny", "pence")}
_NO_CENTS = word_set("¥ ￥ JPY ₩ KRW ₿ BTC ETH ₫ VND")
_SIGN = r"(?:(?:US|U|CA|C|AU|A|NZ|HK|S|R|MX)?\$|CN¥|[£€¥￥₹₩₽₺₪₫₴₿])"
_CODE = rf"(?:{'|'.join(code for code in _MONEY if code.isalpha())})"
_LAKHS = r"[0-9]{1,2}(?:,[0-9]{2}){1,5},[0-9]{3}(?:\.[0-9]{1,2})?(?![0-9])"  # as India groups digits
_COMMA = r"(?:,[0-9]{1,2}(?![0-9,]))?+"
_SCALE = rf"(?P<scale>{SCALE}|[ ]?(?:m|b)(?![\p{{L}}\p{{N}}]))?"
MONEY = (
    rf"(?<![\p{{L}}\p{{N}}])(?P<sign>{_SIGN}|{_CODE}[ ])[ ]?(?P<n>{_LAKHS}|{NUMBER}{_COMMA})"
    rf"(?:(?P<first>{SCALE})?[ ]?[-–][ ]?(?P<to>{NUMBER}))?{_SCALE}(?P<gap>-(?=\p{{L}}))?"
    r"(?![\p{L}\p{N}_]|[.,][0-9])"
)
MONEY_AFTER = (
    rf"{BEFORE}(?P<n>{NUMBER}{_COMMA})(?:(?P<first>{SCALE})?[ ]?[-–][ ]?(?P<to>{NUMBER}))?{_SCALE}[ ]?"
    rf"(?P<sign>[$£€¥￥₹₩₽₺₪₫₴₿]|{_CODE})(?P<gap>)(?![\p{{L}}\p{{N}}_])"
)
CENTS = rf"{BEFORE}(?P<n>{NUMBER})[ ]?¢"


def say_money(found: Match) -> str:
    sign, amount = found["sign"].strip(), found["n"]
    one, many = _MONEY[sign]
    if found["to"] or found["scale"]:
        last = f" to {number(found['to'])}" if found["to"] else ""
        scale = scaled("0", found["scale"]).removeprefix("zero") if found["scale"] else ""
        return f"{scaled(amount, found['first'])}{last}{scale} {one if is_attributive(found) else many}"
    whole, _, fraction = amount.replace(",", ".").partition(".") if _is_comma(amount) else amount.partition(".")
    if len(fraction) == 2 and sign not in _NO_CENTS:
        return _with_cents(sign, whole.replace(",", ""), fraction)
    single = amount.replace(",", "") == "1" or is_attributive(found)
    return f"{number(amount.replace(',', '.') if _is_comma(amount) else amount)} {one if single else many}" + (
        "-" if found["gap"] else ""
    )


def _is_comma(amount: str) -> bool:
    """€29,95."""
    return "." not in amount and "," in amount[-3:]


def _with_cents(sign: str, whole: str, fraction: str) -> str:
    one, many = _MONEY[sign]
    cent, cents = _CENTS.get(sign, ("cent", "cents"))
    main = f"{number(whole or '0')} {one if whole == '1' else many}"
    small = f"{number(str(int(fraction)))} {cent if fraction == '01' else cents}"
    if fraction == "00":
        return main
    return small if not whole.strip("0") else f"{main} and {small}"


def say_cents(found: Match) -> str:
    return f"{number(found['n'])} {'cent' if found['n'] == '1' else 'cents'}"

"""A formula in LaTeX to plain signs, where it is simple enough to be said; pure."""

from __future__ import annotations

import re

_LONGEST_SAID = 80  # characters: a longer formula is for the eye
_TOKEN = re.compile(
    r"\^\{?(?P<power>[23])\}?(?![\w.])"
    r"|\\[dt]?frac\{(?P<over>[\w.]+)\}\{(?P<under>[\w.]+)\}"
    r"|\\(?P<command>[A-Za-z]+|.)|(?P<dropped>[{}_])|(?P<space>[\s~]+)|(?P<hard>[$&])|.",
    re.DOTALL,
)

_SIGNS = dict(
    pair.split("=", 1)
    for pair in r"""
    times=× cdot=· div=÷ pm=± mp=∓ leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ approx=≈ sim=~ equiv=≡ infty=∞ to=→
    rightarrow=→ Rightarrow=⇒ implies=⇒ in=∈ cup=∪ cap=∩ subset=⊂ angle=∠ circ=° degree=° ldots=… dots=… cdots=… sqrt=√
    sum=∑ prod=∏ int=∫ partial=∂ nabla=∇ forall=∀ exists=∃ lt=< gt=> ast=*
    alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ
    pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ omega=ω
    Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω
    """.split()
    for pair in [pair]
) | {sign: sign for sign in "%$#&_{}"}

_NAMES = frozenset("sin cos tan cot sec csc log ln exp lim max min gcd det dim deg".split())
_SPACES = frozenset(", ; : ! quad qquad".split()) | {" ", "\\", "\n"}
_WRAPPERS = frozenset(
    """
    text textbf textit mathrm mathbf mathit mathsf mathcal mathbb operatorname left right big Big displaystyle boxed
    """.split()
)
_POWERS = {"2": "²", "3": "³"}


def plain_formula(latex: str) -> list[tuple[str, int]]:
    """What is said of a formula, in pieces, each with its place in `latex`; nothing where it is not simple."""
    pieces: list[tuple[str, int]] = []
    if len(latex) > _LONGEST_SAID:
        return pieces
    for found in _TOKEN.finditer(latex):
        said = _said(found)
        if said is None:
            return []
        pieces.extend(said)
    return pieces


def _said(token: re.Match[str]) -> list[tuple[str, int]] | None:
    """Pieces of one token; None if it cannot be said."""
    at = token.start()
    match token.lastgroup:
        case "power":
            return [(_POWERS[token["power"]], token.start("power"))]
        case "under":
            return [
                (token["over"], token.start("over")),
                ("/", token.end("over")),
                (token["under"], token.start("under")),
            ]
        case "command":
            sign = _sign(token["command"])
            return None if sign is None else [(sign, at)] if sign else []
        case "dropped":
            return []
        case "space":
            return [(" ", at)]
        case "hard":
            return None
        case _:
            return [(token.group(), at)]


def _sign(command: str) -> str | None:
    if command in _SPACES:
        return " "
    if command in _NAMES:
        return command + " "
    return "" if command in _WRAPPERS else _SIGNS.get(command)

"""A formula in LaTeX to plain signs, where it is simple enough to be said; pure."""

from __future__ import annotations

import regex

_LONGEST_SAID = 80  # characters: a longer formula is for the eye
_TOKEN = regex.compile(
    r"\^\{?(?P<power>[23])\}?(?![\w.])"
    r"|\\[dt]?frac\{(?P<over>[\w.]+)\}\{(?P<under>[\w.]+)\}"
    r"|\\(?P<command>[A-Za-z]+|.)|(?P<dropped>[{}_])|(?P<space>[\s~]+)|(?P<hard>[$&])|.",
    regex.DOTALL,
)


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SIGNS = dict(
    regex.findall(
        r"(\w+)=(\S+)",
        """
        times=× cdot=· div=÷ pm=± mp=∓ leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ approx=≈ sim=~ equiv=≡ infty=∞ to=→ in=∈
        rightarrow=→ Rightarrow=⇒ implies=⇒ cup=∪ cap=∩ subset=⊂ angle=∠ circ=° degree=° ldots=… dots=… cdots=… sqrt=√
        sum=∑ prod=∏ int=∫ partial=∂ nabla=∇ forall=∀ exists=∃ lt=< gt=> ast=*
        alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ mu=μ nu=ν
        xi=ξ pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ omega=ω
        Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω
        """,
    )
) | {sign: sign for sign in "%$#&_{}"}
_NAMES = _words("sin cos tan cot sec csc log ln exp lim max min gcd det dim deg")
_SPACES = _words(", ; : ! quad qquad \\") | {" ", "\n"}
_WRAPPERS = _words(
    "text textbf textit mathrm mathbf mathit mathsf mathcal mathbb operatorname left right big Big displaystyle boxed"
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


def _said(token: regex.Match[str]) -> list[tuple[str, int]] | None:
    """Pieces of one token; None if it cannot be said."""
    at = token.start()
    match token.lastgroup:
        case "power":
            return [(_POWERS[token["power"]], token.start("power"))]
        case "under":
            over, under = token.start("over"), token.start("under")
            return [(token["over"], over), ("/", token.end("over")), (token["under"], under)]
        case "command":
            sign = _sign(token["command"])
            return None if sign is None else [(sign, at)]
        case "hard":
            return None
        case kind:
            return [({"dropped": "", "space": " "}.get(kind or "", token.group()), at)]


def _sign(command: str) -> str | None:
    if command in _SPACES:
        return " "
    if command in _NAMES:
        return command + " "
    return "" if command in _WRAPPERS else _SIGNS.get(command)

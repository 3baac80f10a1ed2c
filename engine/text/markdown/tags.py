"""Tags as models and web pages write them, and which of them stand around what is not said."""

from __future__ import annotations

from functools import lru_cache

import regex

_ATTRIBUTE = r"""[\p{L}_:@][^\s"'<>/=`]*+"""
_VALUE = r"""[ \t\n]*+=[ \t\n]*+(?:"[^"]*+"|'[^']*+'|[^\s"'=<>`]++)"""
_NAME = r"<(?P<close>/?)(?P<name>\p{L}[\p{L}\p{N}_:\-]{0,63}+)"

TAG = regex.compile(rf"{_NAME}(?:[ \t\n]++{_ATTRIBUTE}(?:{_VALUE})?+)*+[ \t\n]*+/?>")
TIGHT_TAG = regex.compile(rf"{_NAME}(?:[ \t\n]++{_ATTRIBUTE}{_VALUE})*+[ \t\n]*+/?>")
"""Without attributes that are mere words: `a <b and c> d` is no tag."""

AUTOLINK = regex.compile(r"<(?P<link>[A-Za-z][A-Za-z0-9+.\-]{1,31}+:[^\s<>]*+|[^\s<>@]{1,64}+@[^\s<>@]{1,255}+)>")
DECLARATION = regex.compile(r"<[!?][A-Za-z\[][^<>]*+>")
SPECIAL_TOKEN = regex.compile(r"<\|(?P<name>[A-Za-z_]{1,40}+)\|>")
COMMENT = regex.compile(r"<!--")
ALT = regex.compile(r"""\salt[ \t\n]*+=[ \t\n]*+(?:"(?P<text>[^"]++)"|'(?P<text>[^']++)')""", regex.IGNORECASE)

BRACKET_THOUGHT = regex.compile(r"\[THINK\]|◁think▷")

_THOUGHT = frozenset(
    """
    think thinking thought thoughts reasoning reflection scratchpad analysis monologue inner_monologue
    internal_monologue inner_thoughts chain_of_thought thought_process reasoning_process
    tool_call tool_calls tool_use tool_result tool_response function_call function_calls function_response
    """.split()
)
_UNSAID = frozenset("script style svg template head".split())

_PARTS = frozenset(
    """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody tfoot thead title tr ul
    """.split()
)
_INLINE = frozenset(
    """
    a abbr acronym audio b bdi bdo big br button caption cite code col colgroup data del dfn em font i img input ins
    kbd label legend mark meter noscript object option output picture progress q rp rt ruby s samp select small source
    span strike strong sub sup td textarea th time tt u var video wbr
    laugh laughs laughter chuckle chuckles sigh sighs cough coughs sniffle groan yawn gasp breath pause giggle whisper
    """.split()
)
HTML = _PARTS | _INLINE

_THOUGHT_END = regex.compile(
    rf"</[ \t\n]{{0,8}}+(?:[a-z]{{1,16}}+:)?+(?:{'|'.join(sorted(_THOUGHT))})[ \t\n]{{0,8}}+>", regex.IGNORECASE
)
_COMMENT_END = regex.compile("-->")
_BRACKET_END = regex.compile(r"\[/THINK\]|◁/think▷")
LONGEST_END = 64  # characters: what a pattern of an end may need to see


def unsaid_until(name: str) -> regex.Pattern[str] | None:
    """What ends the part that the opening tag `name`, in lower case, begins and nobody is to hear; None: it is heard."""
    if name.rpartition(":")[2] in _THOUGHT:
        return _THOUGHT_END
    return _end_of(name) if name in _UNSAID else None


@lru_cache(len(_UNSAID))
def _end_of(name: str) -> regex.Pattern[str]:
    return regex.compile(rf"</{name}[ \t\n]{{0,8}}+>", regex.IGNORECASE)


def token_unsaid_until(name: str) -> regex.Pattern[str] | None:
    """As `unsaid_until`, of the name between `<|` and `|>`."""
    match name.lower():
        case "begin_of_thought" | "start_thinking" | "begin_of_thinking":
            return _TOKEN_END
        case _:
            return None


_TOKEN_END = regex.compile(r"<\|(?:end_of_thought|end_thinking|end_of_thinking)\|>", regex.IGNORECASE)


def comment_end() -> regex.Pattern[str]:
    return _COMMENT_END


def bracket_end() -> regex.Pattern[str]:
    return _BRACKET_END


def ends_part(name: str) -> bool:
    """Whether a tag, of a name in lower case, stands between paragraphs, items or rows."""
    return name in _PARTS

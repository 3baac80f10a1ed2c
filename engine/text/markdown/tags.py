"""Tags as models and web pages write them, and which of them stand around what is not said."""

from __future__ import annotations

import regex

_ATTRIBUTE = r"""[\p{L}_:@][^\s"'<>/=`]*+"""
_VALUE = r"""[ \t\n]*+=[ \t\n]*+(?:"[^"]*+"|'[^']*+'|[^\s"'=<>`]++)"""
_NAME = r"<(?P<close>/?)(?P<name>\p{L}[\p{L}\p{N}_:\-]{0,63}+)"

TAG = regex.compile(rf"{_NAME}(?:[ \t\n]++{_ATTRIBUTE}(?:{_VALUE})?+)*+[ \t\n]*+/?>")
TIGHT_TAG = regex.compile(rf"{_NAME}(?:[ \t\n]++{_ATTRIBUTE}{_VALUE})*+[ \t\n]*+/?>")
AUTOLINK = regex.compile(r"<(?P<link>[A-Za-z][A-Za-z0-9+.\-]{1,31}+:[^\s<>]*+|[^\s<>@]{1,64}+@[^\s<>@]{1,255}+)>")
DECLARATION = regex.compile(r"<[!?][A-Za-z\[][^<>]*+>")
SPECIAL_TOKEN = regex.compile(r"<\|(?P<name>[A-Za-z_]{1,40}+)\|>")
COMMENT = regex.compile(r"<!--")
BRACKET_TOKEN = regex.compile(r"\[THINK\]|◁think▷")
ALT = regex.compile(r"""\salt[ \t\n]*+=[ \t\n]*+(?:"(?P<text>[^"]++)"|'(?P<text>[^']++)')""", regex.IGNORECASE)


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_THOUGHTS = _names(
    """
    think thinking thought thoughts reasoning reflection scratchpad analysis monologue inner_monologue
    internal_monologue inner_thoughts chain_of_thought thought_process reasoning_process
    tool_call tool_calls tool_use tool_result tool_response function_call function_calls function_response
    """
)
_UNSAID = _names("script style svg template head")
THOUGHT_TOKENS = _names("begin_of_thought start_thinking begin_of_thinking")

PARTS = _names(
    """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody tfoot thead title tr ul
    """
)
"""Tags that stand between paragraphs, items or rows."""

HTML = PARTS | _names(
    """
    a abbr acronym audio b bdi bdo big br button caption cite code col colgroup data del dfn em font i img input ins
    kbd label legend mark meter noscript object option output picture progress q rp rt ruby s samp select small source
    span strike strong sub sup td textarea th time tt u var video wbr
    laugh laughs laughter chuckle chuckles sigh sighs cough coughs sniffle groan yawn gasp breath pause giggle whisper
    """
)
"""Tags also right behind a letter, and those by which models say how to speak."""

LONGEST_END = 64
"""Characters that a pattern of an end may need to see."""

COMMENT_END = regex.compile("-->")
BRACKET_END = regex.compile(r"\[/THINK\]|◁/think▷")
TOKEN_END = regex.compile(r"<\|(?:end_of_thought|end_thinking|end_of_thinking)\|>", regex.IGNORECASE)


def _end_of(names: frozenset[str]) -> regex.Pattern[str]:
    name = rf"(?:[a-z]{{1,16}}+:)?+(?:{'|'.join(sorted(names))})"
    return regex.compile(rf"</[ \t\n]{{0,8}}+{name}[ \t\n]{{0,8}}+>", regex.IGNORECASE)


_THOUGHT_END = _end_of(_THOUGHTS)
_ENDS = {name: _end_of(frozenset({name})) for name in _UNSAID}


def unsaid_until(name: str) -> regex.Pattern[str] | None:
    """What ends that which the opening tag `name`, in lower case, begins and nobody is to hear; None: it is heard."""
    return _THOUGHT_END if name.rpartition(":")[2] in _THOUGHTS else _ENDS.get(name)

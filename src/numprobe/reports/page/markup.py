"""HTML in which every text is escaped unless it was made here."""

import html
import json
from typing import Any


class Html(str):
    """Text that is markup already."""

    __slots__ = ()

    def __add__(self, other: str) -> "Html":
        return join(self, other)


def tag(name: str, /, *inside: str, **attributes: str | int | bool | None) -> Html:
    """An element. `class_` is `class`, `data_value` is `data-value`; True is an attribute without a value.

    >>> tag("td", "<b>", tag("br"), class_="within", hidden=True)
    '<td class="within" hidden>&lt;b&gt;<br></td>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{html.escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{written}>" + ("" if name in VOID else f"{join(*inside)}</{name}>"))


def join(*parts: str) -> Html:
    """Parts one after the other, escaped where they are not markup."""
    return Html("".join(part if isinstance(part, Html) else html.escape(part) for part in parts))


def data(name: str, value: Any) -> Html:
    """A value for the page's script to read; no `<` in it can end the element.

    >>> data("x", "</script>")
    '<script type="application/json" id="x">"\\\\u003c/script>"</script>'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return tag("script", Html(text), type="application/json", id=name)


VOID = ("br", "input", "col")
"""Elements that hold nothing."""

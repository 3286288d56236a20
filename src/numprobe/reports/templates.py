"""Pages from templates that escape every text. They need no charts, which are an extra."""

from base64 import b64encode
from functools import cache
from hashlib import sha256

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment(package: str = "numprobe.reports", folder: str = "page") -> Environment:
    """The templates of a folder. They escape every text, also in JSON (`tojson`); an undefined name is an error."""
    made = Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return made


def fingerprint(script: str) -> str:
    """The hash by which a browser knows a page's own scripts and runs no other, should any markup slip in.

    >>> fingerprint("alert()")
    "'sha256-S8S/VNmXuUuoIR6OhqBqwIiIkuCxXq31hCCHAHnicV8='"
    """
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"

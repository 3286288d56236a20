"""Names with settings, written `name:key=value,key=value`, and how they become objects."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numprobe.errors import NumprobeError, at_most, one_of, unknown
from numprobe.files.untrusted import shortened

LARGEST = 10**9
"""Of a setting that is a whole number."""


@dataclass(frozen=True, order=True)
class Spec:
    """A registered name and the settings that differ from its defaults, in a fixed order.

    >>> spec = Spec.parse("char-cnn:padding=right,filters=50")
    >>> str(spec), spec.name
    ('char-cnn:filters=50,padding=right', 'char-cnn')
    """

    name: str
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Spec":
        name, _, rest = text.strip().partition(":")
        settings = {}
        for part in filter(None, rest.split(",")):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not (key and equals and value):
                raise NumprobeError(f"{text!r}: {part!r} is not key=value; write name:key=value,key=value")
            if key in settings:
                raise NumprobeError(f"{text!r} sets {key!r} twice")
            settings[key] = value
        return cls(name, tuple(sorted(settings.items())))

    def __str__(self) -> str:
        settings = ",".join(f"{key}={value}" for key, value in self.settings)
        return f"{self.name}:{settings}" if settings else self.name


def build(kind: str, registry: Mapping[str, type[Any]], spec: Spec) -> Any:
    """The object that a spec describes: a registered dataclass with its fields as settings."""
    one_of(kind, spec.name, registry)
    made = registry[spec.name]
    types = {field.name: field.type for field in dataclasses.fields(made)}
    values = {}
    for key, text in spec.settings:
        if key not in types:
            if not types:
                raise NumprobeError(f"{kind} '{spec.name}' has no settings, so none called {key!r}")
            raise unknown(f"setting of {kind} '{spec.name}'", key, types)
        values[key] = _convert(f"{spec.name}:{key}", text, types[key])
    lacking = [field.name for field in dataclasses.fields(made) if field.name not in values and _is_required(field)]
    if lacking:
        raise NumprobeError(f"{kind} '{spec.name}' needs {' and '.join(lacking)}: write {spec.name}:{lacking[0]}=…")
    return made(**values)


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def resolved(built: Any, name: str) -> Spec:
    """The spec of an object, with only what differs from the defaults: two spellings of one thing become one."""
    differing = {
        field.name: str(getattr(built, field.name))
        for field in dataclasses.fields(built)
        if getattr(built, field.name) != field.default
    }
    return Spec(name, tuple(sorted(differing.items())))


def _convert(where: str, text: str, to: Any) -> Any:
    try:
        value = to(text)
    except ValueError:
        kind = "a whole number" if to is int else "a number"
        raise NumprobeError(f"{where} must be {kind}, not {shortened(text)}") from None
    if to is int:
        at_most(LARGEST, **{where: value})
    return value

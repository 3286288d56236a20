"""Parts by name: `name:key=value,key=value` becomes an object, and an object tells its name.

A part is whatever a cell names: an embedder, a task, a probe, a form, a metric. Its class is a frozen dataclass whose
fields are its settings. A registry finds the classes of one kind in numprobe and in other packages.
"""

import ast
import dataclasses
import inspect
import logging
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from numprobe.errors import NumprobeError, at_most, one_of, unknown
from numprobe.files.untrusted import shortened

RUNTIME = {"runtime": True}
"""The metadata of a field that decides how a part does its work and not what comes of it: no cell tells it."""

LARGEST = 10**9
"""The largest whole number that a setting may have."""

_SETTING = re.compile(r"""\s*([^=,]+?)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,"'][^,]*?)\s*(?:,|$)""", re.DOTALL)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, order=True)
class Spec:
    """A name and its settings, in a fixed order. Quotes protect commas in a value.

    >>> spec = Spec.parse("char-cnn:padding=right,filters=50")
    >>> str(spec), spec.name
    ('char-cnn:filters=50,padding=right', 'char-cnn')
    >>> Spec.parse("prompt:template='In {number}, we won.'").settings
    (('template', 'In {number}, we won.'),)
    """

    name: str
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Spec":
        name, _, rest = text.strip().partition(":")
        settings: dict[str, str] = {}
        at = 0
        while at < len(rest):
            found = _SETTING.match(rest, at)
            if found is None:
                part = rest[at:].partition(",")[0]
                raise NumprobeError(
                    f"{shortened(text)}: {shortened(part)} is not key=value; write name:key=value,key=value"
                )
            if found[1] in settings:
                raise NumprobeError(f"{shortened(text)} sets {found[1]!r} twice")
            settings[found[1]] = _unquoted(found[2])
            at = found.end()
        return cls(name, tuple(sorted(settings.items())))

    def having(self, **settings: str) -> "Spec":
        """The same with some settings, instead of others of that name."""
        return Spec(self.name, tuple(sorted({**dict(self.settings), **settings}.items())))

    def __str__(self) -> str:
        settings = ",".join(f"{key}={_quoted(value)}" for key, value in self.settings)
        return f"{self.name}:{settings}" if settings else self.name


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL) if value[0] in "\"'" else value


def _quoted(value: str) -> str:
    if value and value == value.strip() and value[0] not in "\"'" and "," not in value:
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'


@dataclass(frozen=True)
class Setting:
    """One setting of a part: how to read it from text, and its default."""

    name: str
    type: Any
    default: Any = dataclasses.MISSING
    is_runtime: bool = False

    @property
    def is_required(self) -> bool:
        return self.default is dataclasses.MISSING

    def read(self, where: str, text: str) -> Any:
        kinds = [kind for kind in get_args(self.type) or (self.type,) if kind is not type(None)]
        kind = kinds[0] if len(kinds) == 1 else None
        if kind is str:
            return text
        try:
            value = kind(text) if kind in (int, float) else ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            if kind in (int, float):
                wanted = "a whole number" if kind is int else "a number"
                raise NumprobeError(f"{where} must be {wanted}, not {shortened(text)}") from None
            return text  # an untyped setting, as scikit-learn's are: text stays text
        if kind is int:
            at_most(LARGEST, **{where: value})
        return value


def settings_of(made: type[Any]) -> dict[str, Setting]:
    """The settings of a class: the fields of a dataclass, or the arguments of any other class."""
    if not dataclasses.is_dataclass(made):
        arguments = inspect.signature(made).parameters.values()
        return {
            own.name: Setting(
                own.name,
                type(own.default) if isinstance(own.default, int | float | str) else Any,
                dataclasses.MISSING if own.default is inspect.Parameter.empty else own.default,
            )
            for own in arguments
            if own.kind in (own.POSITIONAL_OR_KEYWORD, own.KEYWORD_ONLY)
        }
    hints = get_type_hints(made) if any(isinstance(own.type, str) for own in dataclasses.fields(made)) else {}
    return {
        own.name: Setting(
            own.name,
            hints.get(own.name, own.type),
            own.default if own.default_factory is dataclasses.MISSING else own.default_factory(),
            "runtime" in own.metadata,
        )
        for own in dataclasses.fields(made)
    }


def build(kind: str, makers: Mapping[str, Callable[..., Any]], spec: Spec) -> Any:
    """Build the object that a spec describes from the class registered under its name."""
    one_of(kind, spec.name, makers)
    made: Any = makers[spec.name]
    known = settings_of(made)
    values = {}
    for key, text in spec.settings:
        if not known:
            raise NumprobeError(f"{kind} '{spec.name}' has no settings, so none called {key!r}")
        if key not in known:
            raise unknown(f"setting of {kind} '{spec.name}'", key, known)
        values[key] = known[key].read(f"{spec.name}:{key}", text)
    lacking = [setting.name for setting in known.values() if setting.is_required and setting.name not in values]
    if lacking:
        raise NumprobeError(f"{kind} '{spec.name}' needs {' and '.join(lacking)}: write {spec.name}:{lacking[0]}=…")
    return made(**values)


def name_of(part: Any) -> str:
    """What a part is called; the class says so, or the function is named."""
    return str(getattr(part, "name", None) or getattr(part, "__name__", None) or type(part).__name__)


def text_of(part: Any, given: Any = "", runtime: bool = False) -> str:
    """Write a part as its name and the settings that differ from the defaults: one thing has one spelling.

    The name is the one it was `given` by, or its own. With `runtime`, settings are told that change nothing.

    >>> from numprobe.embedders import load_embedder
    >>> text_of(load_embedder("char-cnn:padding=right,filters=100"))
    'char-cnn:padding=right'
    """
    part = getattr(part, "wrapped", part)
    name = Spec.parse(given).name if isinstance(given, str) else ""
    values = part.get_params(deep=False) if hasattr(part, "get_params") else vars(part)
    differing = {
        setting.name: _written(values[setting.name])
        for setting in settings_of(type(part)).values()
        if setting.name in values
        and (runtime or not setting.is_runtime)
        and (setting.is_required or values[setting.name] != setting.default)
    }
    return str(Spec(name or name_of(part), tuple(sorted(differing.items()))))


def identity(part: Any) -> dict[str, Any]:
    """The settings of a dataclass that decide what comes of it, with their values; none for anything else."""
    if not dataclasses.is_dataclass(part) or isinstance(part, type):
        return {}
    return {own.name: getattr(part, own.name) for own in settings_of(type(part)).values() if not own.is_runtime}


def _written(value: Any) -> str:
    """A value as `Setting.read` takes it: 0.5, and 1 for 1.0."""
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


Part = TypeVar("Part")


class Registry(Generic[Part]):
    """The parts of one kind, by name: numprobe's own, and those of other packages.

    numprobe's own are the classes with a `name` in the modules of one package, so adding a file adds a part. Other
    packages name theirs under an entry point. Nothing is imported before the first look.

    >>> from numprobe.tasks import TASKS
    >>> TASKS.build("list-maximum:test_lists=20").test_lists, "decoding" in TASKS
    (20, True)
    """

    def __init__(
        self,
        kind: str,
        package: str,
        required: Sequence[str],
        more: Callable[[Mapping[str, type[Any]]], Mapping[str, type[Any]]] = lambda own: {},
        adapt: Callable[[Any], Part] = lambda part: part,
    ) -> None:
        self.kind, self.package = kind, package
        self.group = f"numprobe.{kind}s"
        """The entry point under which another package names its parts."""
        self.required = required
        """The attributes that every part has to have; `one or another` asks for either."""
        self._more, self._adapt = more, adapt

    @cached_property
    def makers(self) -> dict[str, type[Any]]:
        """Name -> class."""
        own = _named_classes(self.package)
        makers = {**own, **self._more(own)}
        for point in entry_points(group=self.group):
            try:
                made = point.load()
                taken = f"{self.group} has {point.name!r} already" if point.name in makers else ""
                problem = taken or self._lacking(made)
            except Exception as error:  # another package may raise anything
                problem = f"it can't be imported: {error}"
            if problem:
                package = point.dist.name if point.dist else point.value
                logger.warning("the %s %r of %s is left out: %s", self.kind, point.name, package, problem)
            else:
                makers[point.name] = made
        return makers

    def __contains__(self, name: object) -> bool:
        return name in self.makers

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def about(self, name: str) -> str:
        """The first line of a part's docstring."""
        return (inspect.getdoc(self.makers[name]) or "").partition("\n")[0]

    def settings(self, name: str) -> dict[str, str]:
        """The settings of a part and their defaults as text, empty where there is none."""
        found = settings_of(self.makers[name]).values()
        return {own.name: "" if own.default in (dataclasses.MISSING, None) else _written(own.default) for own in found}

    def build(self, text: str) -> Part:
        """Build a part from its name and settings."""
        spec = Spec.parse(text)
        try:
            return self._adapt(build(self.kind, self.makers, spec))
        except NumprobeError:
            raise
        except (TypeError, ValueError) as error:  # what a class from elsewhere says of its settings
            raise NumprobeError(f"{self.kind} {shortened(text)}: {error}") from error

    def part(self, given: Any) -> Part:
        """A part by its name and settings, or the object itself where one is given."""
        if isinstance(given, str):
            return self.build(given)
        problem = "give an instance, not a class" if isinstance(given, type) else self._lacking(given)
        if problem:
            raise NumprobeError(f"{shortened(given)} is not a {self.kind}: {problem}")
        return self._adapt(given)

    def _lacking(self, made: Any) -> str:
        """Which required attribute a part does not have, in words; empty if it has all of them."""
        for attributes in self.required:
            if not any(hasattr(made, attribute) for attribute in attributes.split(" or ")):
                return f"it has no {attributes}"
        return ""


def _named_classes(package: str) -> dict[str, type[Any]]:
    """The classes that have a name of their own, in a module or in the modules of a package."""
    root = import_module(package)
    below = pkgutil.iter_modules(getattr(root, "__path__", ()), f"{package}.")
    modules = [root, *(import_module(found.name) for found in below)]
    return {
        made.__dict__["name"]: made
        for module in modules
        for made in vars(module).values()
        if isinstance(made, type) and made.__module__.startswith(package) and isinstance(made.__dict__.get("name"), str)
    }

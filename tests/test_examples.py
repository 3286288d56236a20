"""Every public name has an example; the doctests of the modules run them."""

import doctest
import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import numprobe
from numprobe.registry import Registry


def public() -> Iterator[tuple[str, Any]]:
    """The classes, functions and registries that packages offer; constants and types of arguments have no docstring."""
    packages = [own.name for own in pkgutil.walk_packages(numprobe.__path__, "numprobe.") if own.ispkg]
    for package in ("numprobe", *packages):
        module = import_module(package)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isfunction(thing) or isinstance(thing, Registry):
                yield f"{package}.{name}", thing


def on_page(page: str) -> Iterator[tuple[str, Any]]:
    """What a page of the documentation shows."""
    for module, name in re.findall(r"auto(?:function|class|exception):: ([\w.]+)\.(\w+)", page):
        yield f"{module}.{name}", getattr(import_module(module), name)


def runs(docstring: str) -> bool:
    """Whether a docstring has an example that is not skipped altogether."""
    examples = doctest.DocTestParser().get_examples(docstring)
    return any(not example.options.get(doctest.SKIP) for example in examples)


def test_every_public_name_has_an_example_that_runs(pytestconfig: pytest.Config) -> None:
    page = (pytestconfig.rootpath / "docs/reference.md").read_text(encoding="utf-8")
    named = {**dict(public()), **dict(on_page(page))}
    assert len(named) > 60
    assert [name for name, thing in named.items() if not runs(thing.__doc__ or "")] == []


def test_an_example_that_is_skipped_does_not_count() -> None:
    assert runs(">>> 1 + 1\n2")
    assert not runs("Adds.")
    assert not runs(">>> 1 + 1  # doctest: +SKIP")

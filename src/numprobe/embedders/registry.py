"""Embedders by name: numprobe's own, those of the catalogue, and plug-ins."""

import dataclasses
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from numprobe.embedders.sources.catalogue import catalogue
from numprobe.registry import Registry, Spec, settings_of


def _with_weights(kinds: Mapping[str, type[Any]]) -> dict[str, type[Any]]:
    """The embedders of the catalogue: each is of some kind, with the settings of its entry as defaults."""
    made = {}
    for name, entry in catalogue().items():
        kind: type[Any] = kinds.get(entry.kind) or EntryPoint(name, entry.kind, "").load()
        defaults = [(setting, str, dataclasses.field(default=value)) for setting, value in entry.settings.items()]
        namespace = {"__doc__": entry.about, "name": name, "__module__": kind.__module__}
        made[name] = dataclasses.make_dataclass(name, defaults, bases=(kind,), namespace=namespace, frozen=True)
    return made


EMBEDDERS: Registry[Any] = Registry(
    "embedder", "numprobe.embedders", required=("encode or layout",), more=_with_weights
)


def load_embedder(name: str, **settings: Any) -> Any:
    """Load an embedder by name. It has `encode`, unless it learns with its probe.

    >>> load_embedder("value", scale="raw").encode(["75"]).tolist()
    [[75.0]]
    """
    given = {key: str(value) for key, value in settings.items()}
    return encoder(EMBEDDERS.build(str(Spec.parse(name).having(**given))))


def encoder(embedder: Any) -> Any:
    """What makes the vectors of an embedder: itself, what it names instead, or a mix of its layers.

    >>> encoder(EMBEDDERS.build("value:scale=raw")).encode(["75"]).tolist()
    [[75.0]]
    """
    if getattr(embedder, "layer", "") != "mix":
        return getattr(embedder, "numprobe_encoder", embedder)
    from numprobe.embedders.layer_mix import LayerMix

    return LayerMix(embedder)


def every_layer(model: Any) -> Any:
    """An embedder, or its name, with every layer, if it has layers and none was chosen.

    >>> every_layer("smollm2-135m"), every_layer("smollm2-135m:layer=12"), every_layer("random")
    ('smollm2-135m:layer=all', 'smollm2-135m:layer=12', 'random')
    """
    built = EMBEDDERS.build(model) if isinstance(model, str) else model
    if not hasattr(encoder(built), "encode_layers") or "layer" not in settings_of(type(built)):
        return model
    if not isinstance(model, str):
        return dataclasses.replace(model, layer="all") if model.layer == "last" else model
    spec = Spec.parse(model)
    return model if "layer" in dict(spec.settings) else str(spec.having(layer="all"))


def name_for(model: str) -> str:
    """The embedder that a name, a folder, a hub id or a file of vectors means.

    >>> name_for("minilm-l6"), name_for("someone/some-model"), name_for("vectors.npz")
    ('minilm-l6', 'transformer:model=someone/some-model', 'saved-vectors:path=vectors.npz')
    """
    from numprobe.embedders.saved_vectors import READERS

    name, _, settings = model.partition(":")
    if name in EMBEDDERS or settings:
        return model
    path = Path(model).expanduser()
    if path.suffix.lower() in READERS:
        return str(Spec("saved-vectors", (("path", model),)))
    if path.suffix.lower() == ".onnx":
        return str(Spec("onnx", (("model", model),)))
    if (path / "modules.json").is_file():
        return str(Spec("sentence-transformer", (("model", model),)))
    if path.is_dir() or "/" in model:
        return str(Spec("transformer", (("model", model),)))
    return model

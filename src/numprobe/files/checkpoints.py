"""Files of torch.save as plain values and tensors, without running the code that they may hold."""

import math
import os
from io import BytesIO
from typing import TYPE_CHECKING, Any

from numprobe.errors import NumprobeError
from numprobe.files.pickles import Name, Record, unpickled
from numprobe.files.reading import one_line_errors, tell
from numprobe.files.untrusted import first_line

if TYPE_CHECKING:
    from torch import Tensor

PICKLE = b"\x80"
MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001
"""The first byte and the first two values of a file of torch.save, as it wrote them until version 1.5."""

LONGEST_PICKLE = 1 << 20
"""Most bytes of a file before the numbers of its tensors."""

MOST_DIMENSIONS = 8
LARGEST = 1 << 40
"""Limit for the sizes, strides and offsets of tensors."""

KINDS = {
    "torch.FloatStorage": "float32",
    "torch.DoubleStorage": "float64",
    "torch.HalfStorage": "float16",
    "torch.LongStorage": "int64",
}


def read_checkpoint(path: str) -> Any:
    """Read a file of torch.save in its older format: dicts, lists, tuples, tensors, and a Record of anything else.

    Sets become lists. The tensors together take no more memory than the file has bytes.
    """
    with one_line_errors(path), open(path, "rb") as file:
        start = BytesIO(file.read(LONGEST_PICKLE))
        if start.getvalue().startswith(b"PK\x03\x04"):
            raise NumprobeError(
                f"{path} is a zip, as torch.save writes since 1.6; numprobe reads only its older format"
            )
        storages = _Storages(os.fstat(file.fileno()).st_size)
        try:
            if start.getvalue()[:1] != PICKLE or unpickled(start) != MAGIC or unpickled(start) != PROTOCOL:
                raise NumprobeError(f"{path} is not a file of torch.save")
            about = unpickled(start)
            if not isinstance(about, dict) or about.get("little_endian") is not True:
                raise NumprobeError(f"{path} was written on a machine with another order of bytes")
            value = unpickled(start, _call, storages.find)
            storages.check(keys := unpickled(start))
            file.seek(start.tell())
            for key in keys:
                storages.fill(key, file)
                tell(f"reading {path}", file.tell(), storages.size)
        except NumprobeError:
            raise
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            if start.tell() == LONGEST_PICKLE:
                raise NumprobeError(
                    f"{path}: damaged, or its pickles are longer than {LONGEST_PICKLE:,} bytes"
                ) from error
            reason = first_line(error) if type(error) is ValueError else "its parts don't fit together"
            raise NumprobeError(f"{path}: damaged or cut off: {reason}") from error
    return value


class _Storages:
    """The numbers of a file, which follow its pickles. There is room for them once they are named."""

    def __init__(self, size: int) -> None:
        self.size = self.left = size
        self.made: dict[str, Tensor] = {}

    def find(self, about: Any) -> Any:
        """What a pickle refers to: numbers, or a class whose source it quotes."""
        match about:
            case ("module", Name(), _, _):
                return about[1]
            case ("storage", Name(), str(), _, int(), None):
                return self.room(about[1].text, about[2], about[4])
        raise ValueError("a reference to something other than numbers")

    def room(self, kind: str, key: str, count: int) -> "Tensor":
        import torch

        if kind not in KINDS:
            raise ValueError(f"it holds numbers other than {', '.join(KINDS)}")
        dtype = getattr(torch, KINDS[kind])
        if key not in self.made:
            self.left -= count * dtype.itemsize
            if count < 0 or self.left < 0:
                raise ValueError("its tensors have more numbers than the file")
            self.made[key] = torch.empty(count, dtype=dtype)
        if (len(self.made[key]), self.made[key].dtype) != (count, dtype):
            raise ValueError("two sets of numbers have the same name")
        return self.made[key]

    def check(self, keys: Any) -> None:
        """Refuse a list of keys that is not that of the numbers named before."""
        known = isinstance(keys, list) and all(isinstance(key, str) for key in keys)
        if not known or sorted(keys) != sorted(self.made):
            raise ValueError("it does not hold the numbers of its tensors")

    def fill(self, key: str, file: Any) -> None:
        """Read the numbers that come next in the file."""
        storage = self.made[key]
        count = int.from_bytes(file.read(8), "little")
        if count != len(storage) or file.readinto(storage.numpy().view("u1")) != storage.nbytes:
            raise ValueError("it ends within the numbers of its tensors")


def _call(name: str, arguments: tuple[Any, ...]) -> Any:
    """A tensor where a pickle wants one made, or else a record."""
    if name == "torch._utils._rebuild_tensor_v2":
        return _tensor(*arguments)
    return arguments[0] if name == "torch._utils._rebuild_parameter" else Record(name, arguments)


def _tensor(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> "Tensor":
    """A view of numbers."""
    import torch

    if not isinstance(storage, torch.Tensor):
        raise ValueError("a tensor without numbers")
    if not (_sizes((offset,)) and _sizes(shape) and _sizes(strides) and len(shape) == len(strides) <= MOST_DIMENSIONS):
        raise ValueError("a tensor without a shape")
    count = math.prod(shape)
    last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    if count > len(storage) or (count and last >= len(storage)):
        raise ValueError("a tensor that is larger than its numbers")
    return storage.as_strided(shape, strides, offset) if count else storage.new_empty(shape)


def _sizes(values: Any) -> bool:
    return isinstance(values, tuple) and all(type(value) is int and 0 <= value <= LARGEST for value in values)

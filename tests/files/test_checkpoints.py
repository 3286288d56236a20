"""Files of torch.save: what they hold is read, and nothing that they name is run."""

import builtins
import os
import pickle
import struct
import subprocess
import sys
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch

from numprobe.errors import NumprobeError
from numprobe.files import checkpoints, pickles
from numprobe.files.checkpoints import MAGIC, PROTOCOL, read_checkpoint
from numprobe.files.pickles import Name, Record
from tests.embedders.flair_file import saved

ABOUT = {"protocol_version": PROTOCOL, "little_endian": True}


def read(folder: Path, content: bytes) -> Any:
    (folder / "model.bin").write_bytes(content)
    return read_checkpoint(str(folder / "model.bin"))


def outcome(folder: Path, content: bytes) -> Any:
    """What a file holds, or the one line that refuses it."""
    try:
        return read(folder, content)
    except NumprobeError as error:
        refusal = error
    assert "\n" not in str(refusal)
    assert len(str(refusal)) < 400
    return refusal


def around(pickled: bytes, keys: Any = (), head: tuple[Any, ...] = (MAGIC, PROTOCOL, ABOUT)) -> bytes:
    """A file of torch.save with this pickle for its value, and no numbers."""
    return b"".join(pickle.dumps(value, 2) for value in head) + pickled + pickle.dumps(list(keys), 2)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_values_and_tensors(tmp_path: Path, protocol: int) -> None:
    base = torch.arange(12.0)
    value = {
        "tensors": [base.view(3, 4).T, base[5:], torch.nn.Parameter(base.double()), torch.tensor(7), base.half()],
        "empty": torch.empty(0, 3),
        "plain": OrderedDict(a=(1, -2, 3.5, None, True, "é" * 300), b=[[], {}, (), 2**70]),
        "default": defaultdict(int, x=1),
        "set": {"y"},
        "bytes": b"x",
    }
    file = tmp_path / "model.bin"
    torch.save(value, file, pickle_protocol=protocol, _use_new_zipfile_serialization=False)
    found = read_checkpoint(str(file))
    for one, other in zip([*found["tensors"], found["empty"]], [*value["tensors"], value["empty"]], strict=True):
        assert type(one) is torch.Tensor
        assert one.dtype == other.dtype
        assert torch.equal(one, other)
    assert found["tensors"][0].data_ptr() + 5 * 4 == found["tensors"][1].data_ptr()
    assert found["plain"] == dict(value["plain"])
    assert type(found["plain"]) is dict
    assert found["default"] == {"x": 1}
    if protocol >= 4:
        assert found["set"] == ["y"]
    if protocol >= 3:
        assert found["bytes"] == b"x"


class Own:
    def __init__(self) -> None:
        self.held = [1]
        self.same = self

    def __setstate__(self, state: Any) -> None:
        raise AssertionError("it ran")


def test_other_objects_are_records_of_their_state(tmp_path: Path) -> None:
    found = read(tmp_path, saved({"own": Own()}))["own"]
    assert type(found) is Record
    assert (found.name, found.arguments) == (f"{__name__}.Own", ())
    assert found.fields["held"] == [1]
    assert found.fields["same"] is found
    assert [*pickles.records([found, (found,)], found.name)] == [found]


class Call:
    """Pickled as a call."""

    def __init__(self, *reduced: Any) -> None:
        self.reduced = reduced

    def __reduce__(self) -> Any:
        return self.reduced


def touch(mark: Path) -> str:
    return f"touch {mark}"


def code(mark: Path) -> str:
    return f"open({str(mark)!r}, 'w').close()"


def inner(value: Any) -> bytes:
    """The instructions for a value, without the head and the end of its pickle."""
    return pickle.dumps(value, 2)[2:-1]


MODULE = "numprobe_never_imported"
STATE = {"__setstate__": 1, "fields": 2, "__class__": 3}
HARM: dict[str, Callable[[Path], bytes]] = {
    "system": lambda mark: pickle.dumps(Call(os.system, (touch(mark),))),
    "eval": lambda mark: pickle.dumps(Call(builtins.eval, (code(mark),))),
    "exec": lambda mark: pickle.dumps({"weights": [Call(builtins.exec, (code(mark),)), 1]}, 2),
    "popen": lambda mark: pickle.dumps(Call(subprocess.Popen, (["touch", str(mark)],))),
    "argument": lambda mark: pickle.dumps(Call(list, (Call(os.system, (touch(mark),)),))),
    "state": lambda mark: pickle.dumps(Call(Own, (), Call(os.system, (touch(mark),)))),
    "items": lambda mark: pickle.dumps(Call(dict, (), None, None, iter([("x", Call(os.system, (touch(mark),)))]))),
    "stand-in with arguments": lambda mark: b"\x80\x02cflair.data\nDictionary\n(X\4\0\0\0evalK\1tR.",
    "stand-in called twice": lambda mark: b"\x80\x02cflair.data\nDictionary\n)R)R.",
    "new object": lambda mark: b"\x80\x02cos\nsystem\n" + inner((touch(mark),)) + b"\x81.",
    "setattr": lambda mark: pickle.dumps(Call(setattr, (Name, "text", 1))),
    "state of a class": lambda mark: b"\x80\x02cnumprobe.files.pickles\nRecord\n" + inner(STATE) + b"b.",
    "state of slots": lambda mark: b"\x80\x02cbuiltins\nprint\nN" + inner(STATE) + b"\x86b.",
    "state of a function": lambda mark: b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n" + inner(STATE) + b"b.",
    "INST": lambda mark: f"(S'{touch(mark)}'\nios\nsystem\n.".encode(),
    "OBJ": lambda mark: f"(cos\nsystem\nS'{touch(mark)}'\no.".encode(),
    "EXT1": lambda mark: b"\x80\x02\x82\x01.",
    "import": lambda mark: b"\x80\x02c" + MODULE.encode() + b"\nx\n)R.",
    "dotted name": lambda mark: b"\x80\x04\x8c\x02os\x8c\x0bpath.system\x93\x8c\x01x\x85R.",
    "name that is a list": lambda mark: b"\x80\x04]\x8c\x01x\x93.",
    "call of a text": lambda mark: b"\x80\x02X\4\0\0\0eval)R.",
    "reference": lambda mark: b"\x80\x02cos\nsystem\nQ.",
    "quoted source": lambda mark: pickle.dumps(("module", 1, code(mark), code(mark)), 2)[:-1] + b"Q.",
}


@pytest.mark.parametrize("kind", HARM)
def test_nothing_runs(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "harmed"
    (tmp_path / f"{MODULE}.py").write_text(code(mark))
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules), dict(vars(Record)), dict(vars(Name)), dict(vars(builtins))
    assert type(outcome(tmp_path, around(HARM[kind](mark)))) in (Record, dict, NumprobeError)
    assert not mark.exists()
    assert capfd.readouterr() == ("", "")
    assert (set(sys.modules), dict(vars(Record)), dict(vars(Name)), dict(vars(builtins))) == before


def test_the_harm_is_real(tmp_path: Path) -> None:
    """Python's own unpickler runs what the test above feeds to ours."""
    for kind in ("system", "eval", "argument", "INST", "OBJ"):
        mark = tmp_path / kind
        with suppress(TypeError):  # after the harm
            pickle.loads(HARM[kind](mark))
        assert mark.exists()


def storage(count: int, kind: str = "FloatStorage", key: str = "0") -> bytes:
    """The instructions for a storage."""
    return (
        b"(X\7\0\0\0storagectorch\n%b\nX\1\0\0\0%bX\3\0\0\0cpu" % (kind.encode(), key.encode()) + inner(count) + b"NtQ"
    )


def tensor(count: int, *about: Any, kind: str = "FloatStorage") -> bytes:
    """A file with a tensor that is a view of `count` numbers."""
    arguments = b"".join(map(inner, about))
    made = b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + storage(count, kind) + arguments + b"tR."
    return around(made, ["0"]) + struct.pack("<q", count) + bytes(4 * min(abs(count), 100))


def test_a_tensor_written_by_hand(tmp_path: Path) -> None:
    assert read(tmp_path, tensor(6, 1, (2, 2), (2, 1), False, {})).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (tensor(1 << 40, 0, (1,), (1,)), "its tensors have more numbers than the file"),
        (tensor(-1, 0, (1,), (1,)), "its tensors have more numbers than the file"),
        (tensor(6, 0, (1 << 40,), (0,)), "larger than its numbers"),
        (tensor(6, 0, (3, 3), (1, 1)), "larger than its numbers"),
        (tensor(6, 5, (2,), (1,)), "larger than its numbers"),
        (tensor(6, 0, (2,), (-1,)), "without a shape"),
        (tensor(6, 0, (2,), (1, 1)), "without a shape"),
        (tensor(6, 0, (1,) * 9, (1,) * 9), "without a shape"),
        (tensor(6, 0, (1 << 70,), (0,)), "without a shape"),
        (tensor(6, 0), "its parts don't fit together"),
        (tensor(6, 0, (6,), (1,), kind="ComplexFloatStorage"), "it holds numbers other than torch.FloatStorage"),
        (tensor(6, 0, (6,), (1,))[:-1], "it ends within the numbers of its tensors"),
        (around(b"\x80\x02" + storage(0) + storage(0, "LongStorage") + b"\x86.", ["0"]), "have the same name"),
        (around(b"\x80\x02N.", ["0"]), "it does not hold the numbers of its tensors"),
        (around(b"\x80\x02" + storage(0) + b".", [["0"]]), "it does not hold the numbers of its tensors"),
        (around(b"\x80\x02N.", head=(MAGIC, PROTOCOL, {"little_endian": False})), "another order of bytes"),
        (around(b"\x80\x02N.", head=(MAGIC, PROTOCOL, [])), "another order of bytes"),
        (around(b"\x80\x02N.", head=(MAGIC, 5, ABOUT)), "is not a file of torch.save"),
        (pickle.dumps({"weights": 1}), "is not a file of torch.save"),
        (b"PK\x03\x04" + bytes(50), "is a zip"),
        (b"", "is not a file of torch.save"),
        (around(b"\x80\x02."), "its parts don't fit together"),
        (around(b"\x80\x02h\5."), "its parts don't fit together"),
        (around(b"\x80\x02t."), "its parts don't fit together"),
        (around(b"\x80\x02Nr\xff\xff\xff\xff0."), "the instruction POP of a pickle"),
        (around(b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f."), "damaged or cut off"),
        (around(b"\x80\x02}NNs."), "a dict with a key that is not text"),
        (around(b"\x80\x02}(X\1\0\0\0au."), "or without a value"),
        (around(b"\x80\x02NNa."), "items or a state for a NoneType"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damage_and_bombs_are_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        raise outcome(tmp_path, content)


def test_a_pickle_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "LONGEST_PICKLE", 1000)
    with pytest.raises(NumprobeError, match="its pickles are longer than 1,000 bytes"):
        read(tmp_path, around(b"\x80\x02" + b"]" * 1000 + b"."))


@pytest.mark.parametrize("use", [b"", b"}h<h<s", b"h<h<\x93", b"Q", b"h<b", b"h<R", b"h<q<h<\x81"])
def test_a_nest_that_doubles_with_each_level_takes_no_time(tmp_path: Path, use: bytes) -> None:
    """A list that holds a list twice, sixty times over: to write it out or to hash it would take forever."""
    nest = b"\x80\x04]\x94" + b"".join(b"]\x94(h%ch%ce" % (level, level) for level in range(60))
    started = time.process_time()
    found = outcome(tmp_path, around(nest + use + b"."))
    assert type(found) is (NumprobeError if use else list)
    assert [*pickles.records(found, "x")] == []
    assert time.process_time() - started < 1


def test_cuts_are_refused_in_one_line(tmp_path: Path) -> None:
    content = saved({"weights": torch.ones(3, 2), "about": {"name": "x"}, "own": Own()})
    read(tmp_path, content)
    assert all(type(outcome(tmp_path, content[:length])) is NumprobeError for length in range(0, len(content), 3))

"""A folder with Toto's weights: `config.json` and `model.safetensors` (or its shards), checked before a number of it is used.

The layout of the file is the safetensors format: eight bytes with the length of a JSON header, the header (name → type,
shape, place), the numbers. Reading it executes nothing.
"""

import hashlib
import json
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from forecasting.toto_config import WHAT_TO_DO, TotoConfig
from gonogo.errors import ForecastUnavailable

_LONGEST_HEADER = 16 * 1024 * 1024

type Arrays = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class TotoFolder:
    """A folder whose configuration, tensor shapes and hash are checked.

    `sha256` is that of `model.safetensors` as `sha256sum` prints it (of the shards one after the other, in order of name).
    """

    path: Path
    config: TotoConfig
    sha256: str
    config_sha256: str
    parameters: int
    is_pinned: bool

    @property
    def model(self) -> str:
        """`toto-2.0-22m`: the family and the number of its parameters."""
        millions = self.parameters / 1e6
        return f"toto-2.0-{millions:.0f}m" if millions >= 1 else f"toto-2.0-{self.parameters / 1e3:.0f}k"


def read_folder(path: Path, *, pinned_sha256: str | None = None) -> tuple[TotoFolder, Arrays]:
    """Read and check everything; ForecastUnavailable names the file and what is wrong with it."""
    config_bytes = _config_bytes(path)
    try:
        raw: object = json.loads(config_bytes)
    except ValueError as error:
        raise ForecastUnavailable(f"{path / 'config.json'} is not JSON ({error})", WHAT_TO_DO) from error
    if not isinstance(raw, dict):
        raise ForecastUnavailable(f"{path / 'config.json'} is not a JSON object", WHAT_TO_DO)
    config = TotoConfig.from_mapping(cast("dict[str, Any]", raw))
    wanted = config.shapes()
    arrays: Arrays = {}
    digest = hashlib.sha256()
    for file in _files(path):
        with _opened(file) as opened:
            for name, array in _tensors(opened, digest, name=file, wanted=wanted):
                if name in arrays:
                    raise ForecastUnavailable(f"{file} holds {name} a second time", WHAT_TO_DO)
                arrays[name] = array
    missing = sorted(wanted.keys() - arrays.keys())
    if missing:
        raise ForecastUnavailable(f"{path} lacks {len(missing)} tensors of its config.json, {missing[0]} first", WHAT_TO_DO)
    found, pinned = digest.hexdigest(), (pinned_sha256 or "").strip().lower()
    if pinned and pinned != found:
        raise ForecastUnavailable(
            f"the weights in {path} have SHA-256 {found}, pinned is {pinned}",
            "restore them, or set GONOGO_TOTO_SHA256 to the new hash when they were replaced on purpose",
        )
    size = sum(array.size for array in arrays.values() if array.ndim)
    return TotoFolder(path, config, found, hashlib.sha256(config_bytes).hexdigest(), size, bool(pinned)), arrays


def _config_bytes(path: Path) -> bytes:
    try:
        with (path / "config.json").open("rb") as file:
            return file.read(1024 * 1024)
    except OSError as error:
        raise ForecastUnavailable(f"{path / 'config.json'} cannot be read ({error.strerror})", WHAT_TO_DO) from error


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        raise ForecastUnavailable(f"{file} cannot be read ({error.strerror})", WHAT_TO_DO) from error


def _files(path: Path) -> list[Path]:
    index = path / "model.safetensors.index.json"
    if not index.is_file():
        return [path / "model.safetensors"]
    try:
        with index.open("rb") as file:
            names = sorted(set(json.loads(file.read(_LONGEST_HEADER))["weight_map"].values()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ForecastUnavailable(f"{index} does not list the shards of the weights ({error})", WHAT_TO_DO) from error
    strange = [name for name in names if not re.fullmatch(r"[\w.-]+\.safetensors", name)]
    if strange or not names:
        raise ForecastUnavailable(
            f"{index} names shards outside the folder ({', '.join(map(str, strange)) or 'none'})", WHAT_TO_DO
        )
    return [path / name for name in names]


def _tensors(
    file: BinaryIO, digest: Any, *, name: Path, wanted: Mapping[str, tuple[int, ...]]
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Every tensor of one file in the order of its bytes; each byte goes into the hash, none is read twice."""
    head = file.read(8)
    length = struct.unpack("<Q", head)[0] if len(head) == 8 else 0
    text = file.read(min(length, _LONGEST_HEADER))
    if not 0 < length == len(text):
        raise ForecastUnavailable(f"{name} is not a safetensors file", WHAT_TO_DO)
    digest.update(head)
    digest.update(text)
    at = 0
    for tensor, shape, begin, end in _places(text, name=name):
        if wanted.get(tensor) != shape:
            there = f"has shape {list(wanted[tensor])}" if tensor in wanted else "does not exist"
            raise ForecastUnavailable(f"{name}: {tensor} of shape {list(shape)} {there} by config.json", WHAT_TO_DO)
        array = np.empty(shape, dtype="<f4")
        if begin != at or end - begin != array.nbytes or _filled(file, array) != array.nbytes:
            raise ForecastUnavailable(f"{name}: the numbers of {tensor} are cut off or out of place", WHAT_TO_DO)
        digest.update(array.reshape(-1).view(np.uint8))
        if not np.isfinite(array).all():
            raise ForecastUnavailable(f"{name}: {tensor} has numbers that are not finite", WHAT_TO_DO)
        at = end
        yield tensor, array.astype(np.float32, copy=False)
    if file.read(1):
        raise ForecastUnavailable(f"{name} goes on after its last tensor", WHAT_TO_DO)


def _places(text: bytes, *, name: Path) -> list[tuple[str, tuple[int, ...], int, int]]:
    try:
        header = json.loads(text)
        places = [
            (str(tensor), tuple(int(n) for n in entry["shape"]), int(entry["data_offsets"][0]), int(entry["data_offsets"][1]))
            for tensor, entry in header.items()
            if tensor != "__metadata__"
        ]
        others = sorted({str(entry["dtype"]) for tensor, entry in header.items() if tensor != "__metadata__"} - {"F32"})
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ForecastUnavailable(f"{name} is not a safetensors file ({error})", WHAT_TO_DO) from error
    if others:
        raise ForecastUnavailable(
            f"{name} holds {', '.join(others)}; Toto runs in float32, narrower weights lose up to 18 % of the band", WHAT_TO_DO
        )
    return sorted(places, key=lambda place: place[2:])


def _filled(file: BinaryIO, array: NDArray[np.float32]) -> int:
    view = memoryview(array.reshape(-1).view(np.uint8))
    done = 0
    while done < len(view):
        count = cast("Any", file).readinto(view[done:])
        if not count:
            break
        done += count
    return done

"""Relative size of instance classes: virtual processors and memory, from the name.

AWS doubles from size to size (https://aws.amazon.com/ec2/instance-types/); Google and Azure write the processors.
"""

import re

from gonogo.pattern import pattern
from gonogo.record import Record


class Size(Record):
    """Virtual processors and memory in GiB; None where the name does not say it."""

    vcpus: float
    memory_gib: float | None


_AWS = pattern(
    r"(?:(?:db|cache|kafka|ml|search)\.)?([a-z]+)(\d+)([a-z-]*)\.(nano|micro|small|medium|large|(\d{0,3})xlarge)(?:\.(?:search|elasticsearch))?"
)
_SMALL_T = {"nano": (2, 0.5), "micro": (2, 1), "small": (2, 2), "medium": (2, 4)}
_SMALL_T2 = {"nano": (1, 0.5), "micro": (1, 1), "small": (1, 2), "medium": (2, 4)}
_PER_VCPU = {
    "t": 4.0,
    "m": 4.0,
    "c": 2.0,
    "r": 8.0,
    "x": 16.0,
    "z": 8.0,
    "i": 8.0,
    "im": 4.0,
    "is": 6.0,
    "d": 8.0,
    "g": 4.0,
    "inf": 2.0,
}
_GCP = pattern(r"(?:db-)?(?:[a-z]\d[a-z]?)-(standard|highmem|highcpu|megamem)-(\d{1,3})")
_GCP_CUSTOM = pattern(r"(?:db|[a-z]\d[a-z]?)-(?:custom-)?custom-(\d{1,3})-(\d{3,7})|db-custom-(\d{1,3})-(\d{3,7})")
_GCP_SHARED = {"e2-micro": (0.25, 1.0), "e2-small": (0.5, 2.0), "e2-medium": (1.0, 4.0), "f1-micro": (0.2, 0.6), "g1-small": (0.5, 1.7), "db-f1-micro": (0.2, 0.6), "db-g1-small": (0.5, 1.7)}  # fmt: skip
_GCP_MEMORY = {"standard": 4.0, "highmem": 8.0, "highcpu": 1.0, "megamem": 14.0}
_AZURE = pattern(r"(?:(?:GP|MO|B)_)?Standard_([A-Z]+)(\d{1,3})[a-z]*(?:_v\d)?", re.IGNORECASE)
_AZURE_GENERATION = pattern(r"(?:B|GP|MO)_Gen\d_(\d{1,3})", re.IGNORECASE)


def size_of(name: str) -> Size | None:
    """The size of an instance class, or None when the name is not of a family that this reads."""
    text = name.strip()
    lowered = text.lower()
    if found := _AWS.fullmatch(lowered):
        return _aws(found)
    if lowered in _GCP_SHARED:
        return Size(*_GCP_SHARED[lowered])
    if found := _GCP.fullmatch(lowered):
        vcpus = float(found[2])
        return Size(vcpus, vcpus * _GCP_MEMORY[found[1]])
    if found := _GCP_CUSTOM.fullmatch(lowered):
        return Size(float(found[1] or found[3]), float(found[2] or found[4]) / 1024)
    if found := _AZURE_GENERATION.fullmatch(text):
        return Size(float(found[1]), None)
    if found := _AZURE.fullmatch(text):
        vcpus = float(found[2])
        return Size(vcpus, vcpus * {"D": 4.0, "E": 8.0, "F": 2.0}.get(found[1][0].upper(), 4.0))
    return None


def default_max_connections(engine: str, size: Size) -> float | None:
    """The server's own limit of an RDS class when its parameter group does not say one.

    https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Limits.html#RDS_Limits.MaxConnections
    """
    if size.memory_gib is None:
        return None
    total_bytes = size.memory_gib * 1024**3
    if "postgres" in engine:
        return min(total_bytes // 9_531_392, 5000)
    return total_bytes // 12_582_880 if "mysql" in engine or "maria" in engine else None


def _aws(found: re.Match[str]) -> Size | None:
    family, size = found[1], found[4]
    if size in _SMALL_T:
        if family == "t":
            return Size(*(_SMALL_T2 if found[2] in ("1", "2") else _SMALL_T)[size])
        return Size(1, _PER_VCPU.get(family, 4.0)) if size == "medium" else None
    vcpus = 2.0 if size == "large" else 4.0 * int(found[5] or 1)
    per_vcpu = _PER_VCPU.get(family)
    return Size(vcpus, vcpus * per_vcpu if per_vcpu else None)

"""Toto models with random weights, for tests and benches: any shape of the family, written as a released folder looks."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from forecasting.toto_config import PATCH, TotoConfig

SMALL: dict[str, Any] = {
    "patch_size": PATCH,
    "d_model": 64,
    "num_heads": 2,
    "num_layers": 4,
    "layer_group_size": 2,
    "num_variate_layers_per_group": 1,
    "variate_layer_first": False,
    "num_output_patches": 1,
    "pre_norm": True,
    "qk_norm": False,
    "attn_bias": True,
    "mlp_bias": False,
    "norm_eps": 0.0001,
    "norm_include_weight": False,
    "per_dim_scale": True,
    "use_xpos": True,
    "residual_mult": 0.75,
    "residual_attn_ratio": 5.136215466577748,
    "d_ff": 176,
}
"""A model of the released family that answers within milliseconds."""

SHAPE_22M: dict[str, Any] = SMALL | {"d_model": 512, "num_heads": 8, "num_layers": 6, "layer_group_size": 6, "d_ff": 1368}
"""The shape of Toto-2.0-22m as far as it is known: 21.9 million parameters, 87.7 MB (released weights are read by their own config.json)."""


def write_random_model(folder: Path, shape: dict[str, Any] | None = None, *, seed: int = 0) -> Path:
    """Write `config.json` and `model.safetensors` of a model nobody trained; the folder."""
    raw = SMALL if shape is None else shape
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(raw), encoding="utf-8")
    config = TotoConfig.from_mapping(raw)
    write_tensors(folder / "model.safetensors", random_tensors(config, seed=seed))
    return folder


def random_tensors(config: TotoConfig, *, seed: int = 0) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """Weights as the package would start them: normal, biases and learned scales a little off their start, the residual rule exact."""
    random = np.random.default_rng(seed)
    tensors = {
        name: random.standard_normal(shape, dtype=np.float32) * np.float32(1 if len(shape) == 2 else 0.1)
        for name, shape in config.shapes().items()
    }
    tensors |= {name: 1 + tensor for name, tensor in tensors.items() if "norm" in name}
    for index in range(config.num_layers):
        for place, part in enumerate(("attn_tau", "mlp_tau")):
            tau = residual_tau(2 * index + place, 2 * config.num_layers, config)
            tensors[f"transformer.layers.{index}.{part}"] = np.asarray(tau, np.float32)
    return tensors


def residual_tau(index: int, depth: int, config: TotoConfig) -> float:
    """How much the `index`-th of `depth` residual branches counts (unit scaling, appendix G of the u-muP paper)."""
    mlp = config.residual_mult * (2 / (1 + config.residual_attn_ratio**2)) ** 0.5
    attention = config.residual_attn_ratio * mlp
    before = depth / 2 + (index + 1) // 2 * attention**2 + index // 2 * mlp**2
    return (attention if index % 2 == 0 else mlp) / before**0.5


def write_tensors(path: Path, tensors: dict[str, np.ndarray[Any, Any]], *, dtype: str = "F32") -> None:
    """Write a safetensors file."""
    header: dict[str, Any] = {}
    at = 0
    for name, tensor in sorted(tensors.items()):
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [at, at + tensor.nbytes]}
        at += tensor.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, tensor in sorted(tensors.items()):
            file.write(np.ascontiguousarray(tensor).tobytes())

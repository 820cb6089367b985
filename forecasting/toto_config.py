"""What `config.json` of a Toto 2.0 folder says, and the shape of every tensor that follows from it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from gonogo.errors import ForecastUnavailable

PATCH = 32
"""Steps in a patch of every released model; a folder that says otherwise is refused."""
KNOTS = 9
"""The model answers with p10 to p90."""
WHAT_TO_DO = "GONOGO_TOTO_DIR must hold config.json and model.safetensors of one Toto 2.0 model"

_SIZES = ("d_ff", "d_model", "layer_group_size", "num_groups", "num_heads", "num_layers", "qk_dim", "v_dim")


@dataclass(frozen=True)
class TotoConfig:
    """What `config.json` says of the architecture; names and defaults are those of the official package."""

    d_model: int
    num_heads: int
    num_layers: int
    layer_group_size: int
    num_variate_layers_per_group: int
    variate_layer_first: bool
    d_ff: int
    qk_dim: int
    v_dim: int
    num_groups: int
    residual_mult: float
    residual_attn_ratio: float
    norm_eps: float = 5e-5
    attn_bias: bool = False
    mlp_bias: bool = False
    qk_norm: bool = True
    norm_include_weight: bool = False
    qk_norm_include_weight: bool = False
    per_dim_scale: bool = False
    use_xpos: bool = False

    @classmethod
    def from_mapping(cls, raw: Mapping[str, Any]) -> Self:
        """Fill in what the official package fills in; ForecastUnavailable when a value cannot be."""
        try:
            heads, width = int(raw["num_heads"]), int(raw["d_model"])
            qk_dim = int(raw.get("qk_dim") or width // heads)
            norm_weight = bool(raw.get("norm_include_weight", False))
            qk_norm_weight = raw.get("qk_norm_include_weight")
            config = cls(
                d_model=width,
                num_heads=heads,
                num_layers=int(raw["num_layers"]),
                layer_group_size=int(raw["layer_group_size"]),
                num_variate_layers_per_group=int(raw["num_variate_layers_per_group"]),
                variate_layer_first=bool(raw["variate_layer_first"]),
                d_ff=int(raw.get("d_ff") or (int(4 * width * 2 / 3) + 7) // 8 * 8),
                qk_dim=qk_dim,
                v_dim=int(raw.get("v_dim") or qk_dim),
                num_groups=int(raw.get("num_groups") or heads),
                residual_mult=float(raw.get("residual_mult", 1.0)),
                residual_attn_ratio=float(raw["residual_attn_ratio"]),
                norm_eps=float(raw.get("norm_eps", 5e-5)),
                attn_bias=bool(raw.get("attn_bias", False)),
                mlp_bias=bool(raw.get("mlp_bias", False)),
                qk_norm=bool(raw.get("qk_norm", True)),
                norm_include_weight=norm_weight,
                qk_norm_include_weight=norm_weight if qk_norm_weight is None else bool(qk_norm_weight),
                per_dim_scale=bool(raw.get("per_dim_scale", False)),
                use_xpos=bool(raw.get("use_xpos", False)),
            )
            outputs = int(raw.get("num_output_patches", 1))
            patch = int(raw["patch_size"])
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
            raise ForecastUnavailable(f"config.json of Toto is not usable ({error})", WHAT_TO_DO) from error
        wrong = config.contradiction(patch=patch, outputs=outputs)
        if wrong:
            raise ForecastUnavailable(f"config.json of Toto: {wrong}", WHAT_TO_DO)
        return config

    def contradiction(self, *, patch: int, outputs: int) -> str | None:
        """Why no model can have these sizes, None when one can."""
        if patch != PATCH or outputs != 1:
            return f"patches of {patch} steps and {outputs} a position; only patches of {PATCH}, one a position, are known"
        odd = [name for name in _SIZES if not 0 < int(getattr(self, name)) <= 65536]
        if odd:
            return f"{', '.join(odd)} must be between 1 and 65536"
        if self.num_layers % self.layer_group_size or not 0 <= self.num_variate_layers_per_group <= self.layer_group_size:
            return f"{self.num_layers} layers do not make groups of {self.layer_group_size}"
        if self.num_heads % self.num_groups or self.qk_dim % 4:
            return f"{self.num_heads} heads of {self.qk_dim} do not share {self.num_groups} groups of keys"
        numbers = (self.residual_mult, self.residual_attn_ratio, self.norm_eps)
        return None if all(math.isfinite(n) and n >= 0 for n in numbers) else "a factor is negative or not a number"

    def is_variate_layer(self, index: int) -> bool:
        """True for a layer that exchanges between series, False for one that looks back in time."""
        place = index % self.layer_group_size
        if self.variate_layer_first:
            return place < self.num_variate_layers_per_group
        return place >= self.layer_group_size - self.num_variate_layers_per_group

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Name → shape of every tensor that a model of this configuration has."""
        wide, answers = 4 * self.d_model, PATCH * KNOTS
        shapes = {
            **_residual("patch_proj", 2 * PATCH, wide, self.d_model),
            **_residual("output_head.param_projection.proj", self.d_model, wide, answers),
        }
        for index in range(self.num_layers):
            shapes |= {f"transformer.layers.{index}.{name}": shape for name, shape in self._layer_shapes().items()}
        if self.norm_include_weight:
            shapes["transformer.out_norm.weight"] = (self.d_model,)
        return shapes

    def _layer_shapes(self) -> dict[str, tuple[int, ...]]:
        keys = self.qk_dim * self.num_heads + (self.qk_dim + self.v_dim) * self.num_groups
        shapes: dict[str, tuple[int, ...]] = {
            "attn.in_proj.weight": (keys, self.d_model),
            "attn.out_proj.weight": (self.d_model, self.v_dim * self.num_heads),
            "ffn.fc1.weight": (2 * self.d_ff, self.d_model),
            "ffn.fc2.weight": (self.d_model, self.d_ff),
            "attn_tau": (),
            "mlp_tau": (),
        }
        if self.attn_bias:
            shapes |= {"attn.in_proj.bias": (keys,), "attn.out_proj.bias": (self.d_model,)}
        if self.mlp_bias:
            shapes |= {"ffn.fc1.bias": (2 * self.d_ff,), "ffn.fc2.bias": (self.d_model,)}
        if self.per_dim_scale:
            shapes["attn._pds.per_dim_scale"] = (self.qk_dim,)
        if self.qk_norm and self.qk_norm_include_weight:
            shapes |= {"attn.q_norm.weight": (self.qk_dim,), "attn.k_norm.weight": (self.qk_dim,)}
        if self.norm_include_weight:
            shapes |= {"norm1.weight": (self.d_model,), "norm2.weight": (self.d_model,)}
        return shapes


def _residual(name: str, width: int, hidden: int, out: int) -> dict[str, tuple[int, ...]]:
    layers = {"linear1": (hidden, width), "linear2": (out, hidden), "skip_proj": (out, width)}
    return {
        f"{name}.{layer}.{part}": shape if part == "weight" else shape[:1]
        for layer, shape in layers.items()
        for part in ("weight", "bias")
    }

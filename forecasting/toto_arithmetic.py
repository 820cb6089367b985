"""The building blocks of Toto's network in numpy float32: unit-scaled layers, rotary positions, masks.

Scales and rules are those of unit-scaling 0.3 and dd-unit-scaling 0.1, which the official package is built on.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float32]
type Step = Callable[[Floats], Floats]

_SILU_SCALE = math.exp(0.8 * math.log((2 / (1 - 1 / math.pi)) ** 0.5) + 0.2 * math.log(2.0))
"""What a SiLU is multiplied with to keep the variance of its output at one."""
_ROTARY_BASE, _XPOS_BASE = 10_000, 256
_NOTHING = np.float32(-np.inf)


class Weights:
    """The tensors of one model by name."""

    def __init__(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        self._arrays = arrays

    def get(self, name: str) -> Floats | None:
        """The tensor, None when this model has none of that name."""
        return self._arrays.get(name)

    def number(self, name: str) -> float:
        """A tensor that is one number."""
        return float(self._arrays[name])

    def linear(self, name: str, *, power: float = 0.5) -> Step:
        """A linear layer divided by inputs ** power; that factor is folded into copies of weight and bias."""
        weight, bias = self._arrays[f"{name}.weight"], self.get(f"{name}.bias")
        scale = np.float32(weight.shape[1] ** -power)
        turned: Floats = np.multiply(weight, scale, dtype=np.float32).T
        added: Floats | None = None if bias is None else np.multiply(bias, scale, dtype=np.float32)

        def apply(x: Floats) -> Floats:
            out: Floats = np.matmul(x.reshape(-1, x.shape[-1]), turned, dtype=np.float32)
            if added is not None:
                out += added
            return out.reshape(*x.shape[:-1], -1)

        return apply


def residual_mlp(weights: Weights, name: str, *, is_output: bool) -> Step:
    """Two linear layers with a SiLU between and a linear way around them; the output head scales by its inputs, not by their root."""
    power = 1.0 if is_output else 0.5
    first = weights.linear(f"{name}.linear1")
    second, around = weights.linear(f"{name}.linear2", power=power), weights.linear(f"{name}.skip_proj", power=power)

    def apply(x: Floats) -> Floats:
        hidden = silu(first(x))
        hidden *= np.float32(_SILU_SCALE)
        return residual_add(second(hidden), around(x), 1.0)

    return apply


def silu(x: Floats) -> Floats:
    """`x * sigmoid(x)`."""
    with np.errstate(over="ignore"):  # exp of a large number is inf, and x / inf is the right 0
        out = np.exp(-x)
    out += 1
    return np.divide(x, out, out=out)


def residual_add(residual: Floats, skip: Floats, tau: float) -> Floats:
    """The two, weighted so that the variance stays one. `residual` is overwritten."""
    whole = math.sqrt(1 + tau * tau)
    residual *= np.float32(tau / whole)
    residual += skip * np.float32(1 / whole)
    return residual


def rms_norm(weight: Floats | None, eps: float) -> Step:
    """Divide by the root of the mean square along the last axis."""

    def apply(x: Floats) -> Floats:
        square = np.einsum("...i,...i->...", x, x)[..., None] / np.float32(x.shape[-1])
        out = np.divide(x, np.sqrt(square + np.float32(eps)), dtype=np.float32)
        return out if weight is None else out * weight

    return apply


def query_scale(per_dimension: Floats | None, width: int) -> Floats:
    """Factor of each dimension of a query: 1 / width (not its root), times softplus(learned) / ln 2 where it is learned."""
    if per_dimension is None:
        return np.full(width, 1 / width, np.float32)
    softplus = np.logaddexp(np.float64(0), per_dimension.astype(np.float64))
    return (softplus / math.log(2) / width).astype(np.float32)


def by_head(x: Floats, heads: int) -> Floats:
    """`[batch, position, head * dimension]` → `[batch, head, position, dimension]`."""
    return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


class Rotary:
    """Rotates the first `width` dimensions of queries and keys by their position; xPos lets what is far away fade.

    `length` is the number of positions that the package would see: it sets where the fading is centred.
    """

    def __init__(self, positions: int, *, length: int, width: int, has_xpos: bool) -> None:
        even = np.arange(0, width, 2, dtype=np.float32)
        theta = np.float32(1) / np.power(np.float32(_ROTARY_BASE), even / np.float32(width))
        at = np.arange(positions, dtype=np.float32)
        angle = at[:, None] * theta
        self._width = width
        self._cos, self._sin = np.cos(angle), np.sin(angle)
        fading = (even + np.float32(0.4 * width)) / np.float32(1.4 * width) if has_xpos else np.ones_like(even)
        self._fade: Floats = np.power(fading, ((at - np.float32(length // 2)) / np.float32(_XPOS_BASE))[:, None])

    def __call__(self, q: Floats, k: Floats) -> tuple[Floats, Floats]:
        """The pair, rotated."""
        return self._turned(q, self._fade), self._turned(k, np.float32(1) / self._fade)

    def _turned(self, x: Floats, fade: Floats) -> Floats:
        cos, sin = self._cos * fade, self._sin * fade
        out = np.array(x)
        even, odd = x[..., 0 : self._width : 2], x[..., 1 : self._width : 2]
        out[..., 0 : self._width : 2] = even * cos - odd * sin
        out[..., 1 : self._width : 2] = odd * cos + even * sin
        return out


def time_mask(ids: NDArray[np.int64]) -> Floats:
    """`[series or 1, 1, position, position]`, 0 where a position may look, -inf where not: never ahead, never across a change of id."""
    size = ids.shape[1]
    allowed = np.tril(np.ones((size, size), np.bool_))[None]
    if (ids != ids[:, :1]).any():
        allowed = allowed & (ids[:, :, None] == ids[:, None, :])
    return np.where(allowed, np.float32(0), _NOTHING)[:, None]


def variate_mask(ids: NDArray[np.int64]) -> Floats | None:
    """`[position, 1, series, series]`, None when all may look at all: series of one id look at each other."""
    if (ids == ids[:1]).all():
        return None
    turned = ids.T
    return np.where(turned[:, :, None] == turned[:, None, :], np.float32(0), _NOTHING)[:, None]

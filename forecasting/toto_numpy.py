"""Toto 2.0 in numpy: the arithmetic of the official package (toto-2 2.0.0, single pass) without torch.

It gives what the package gives to within 1e-5 of the p10 to p90 width, starts in a fraction of a second and needs less
memory. Names follow the package, so the two can be read side by side. Two things are left out because they change nothing: the
last patch of the horizon, whose answer is for the patch after it, and every position that the answer no longer depends on
in the layers after the last look back in time.
"""

import math

import numpy as np
from numpy.typing import NDArray

from forecasting.toto_arithmetic import (
    Floats,
    Rotary,
    Weights,
    by_head,
    query_scale,
    residual_add,
    residual_mlp,
    rms_norm,
    silu,
    time_mask,
    variate_mask,
)
from forecasting.toto_config import KNOTS, PATCH, TotoConfig
from forecasting.toto_scaling import cap_and_sort, scale_series
from forecasting.toto_weights import Arrays


class NumpyNetwork:
    """The network of one checked folder; stateless, so threads may share it."""

    runtime = "numpy"

    def __init__(self, config: TotoConfig, arrays: Arrays) -> None:
        weights = Weights(arrays)
        self._config = config
        self._embed = residual_mlp(weights, "patch_proj", is_output=False)
        self._answer = residual_mlp(weights, "output_head.param_projection.proj", is_output=True)
        self._layers = tuple(_Layer(weights, config, index) for index in range(config.num_layers))
        self._out_norm = rms_norm(weights.get("transformer.out_norm.weight"), config.norm_eps)

    def quantiles(self, target: Floats, mask: NDArray[np.bool_], groups: NDArray[np.int64], horizon: int) -> Floats:
        """`[9, series, horizon]` of p10 to p90 for `target` `[series, time]`, time a multiple of 32.

        `mask` is True where there was a reading. Series with the same number in `groups` attend to each other.
        """
        patches, count = target.shape[1] // PATCH, math.ceil(horizon / PATCH)
        observed = mask.copy()
        observed[:, -PATCH:] = True  # the package takes the last patch for observed, whatever the mask says
        scaling = scale_series(target, observed)
        context = self._embed(_with_mask(scaling.scaled, observed))
        length = patches + count
        state = np.empty((target.shape[0], length - 1, self._config.d_model), np.float32)
        state[:, :patches] = context
        if count > 1:
            unknown = np.concatenate([np.zeros(PATCH, np.float32), np.ones(PATCH, np.float32)])
            state[:, patches:] = self._embed(unknown[None, None])
        ids = np.repeat(groups[:, None], length - 1, axis=1)
        ids[:, :patches][~observed.reshape(-1, patches, PATCH).any(axis=2)] = -1
        state = self._transformed(state, ids, length=length, tail=count)
        answer = self._answer(self._out_norm(state)).reshape(*state.shape[:2], PATCH, KNOTS)
        return cap_and_sort(np.moveaxis(answer, -1, 0), scaling)[:, :, :horizon]

    def _transformed(self, state: Floats, ids: NDArray[np.int64], *, length: int, tail: int) -> Floats:
        """Run the layers; the last `tail` positions of the result."""
        rotary = Rotary(state.shape[1], length=length, width=self._config.qk_dim // 2, has_xpos=self._config.use_xpos)
        before, across = time_mask(ids), variate_mask(ids)
        looks_back = [index for index, layer in enumerate(self._layers) if not layer.is_variate]
        last = looks_back[-1] if looks_back else -1
        if last < 0:
            state = state[:, -tail:]
        for index, layer in enumerate(self._layers):
            if layer.is_variate:
                places = slice(-state.shape[1], None)
                state = layer.across(state, None if across is None else across[places])
            else:
                state = layer.back(state, before, rotary, tail=tail if index == last else state.shape[1])
        return state


class _Layer:
    """One transformer layer: attention and a gated linear unit, each added to what came in."""

    def __init__(self, weights: Weights, config: TotoConfig, index: int) -> None:
        name = f"transformer.layers.{index}"
        self.is_variate = config.is_variate_layer(index)
        self._heads, self._groups = config.num_heads, config.num_groups
        self._sizes = (config.qk_dim * config.num_heads, config.qk_dim * config.num_groups)
        self._qk_dim, self._v_dim = config.qk_dim, config.v_dim
        self._in_proj = weights.linear(f"{name}.attn.in_proj")
        self._out_proj = weights.linear(f"{name}.attn.out_proj")
        self._fc1, self._fc2 = weights.linear(f"{name}.ffn.fc1"), weights.linear(f"{name}.ffn.fc2")
        self._norm1 = rms_norm(weights.get(f"{name}.norm1.weight"), config.norm_eps)
        self._norm2 = rms_norm(weights.get(f"{name}.norm2.weight"), config.norm_eps)
        self._q_norm = rms_norm(weights.get(f"{name}.attn.q_norm.weight"), config.norm_eps) if config.qk_norm else None
        self._k_norm = rms_norm(weights.get(f"{name}.attn.k_norm.weight"), config.norm_eps) if config.qk_norm else None
        self._q_scale = query_scale(weights.get(f"{name}.attn._pds.per_dim_scale"), config.qk_dim)
        self._attn_tau, self._mlp_tau = weights.number(f"{name}.attn_tau"), weights.number(f"{name}.mlp_tau")

    def back(self, state: Floats, mask: Floats, rotary: Rotary, *, tail: int) -> Floats:
        """Each series looks back in time; only the last `tail` positions are worked out."""
        q, k, v = self._heads_of(self._norm1(state))
        q, k = rotary(q, k)
        attended = self._attended(q[:, :, -tail:], k, v, mask[..., -tail:, :])
        return self._with_ffn(residual_add(self._out_proj(attended), state[:, -tail:], self._attn_tau))

    def across(self, state: Floats, mask: Floats | None) -> Floats:
        """The series of a group look at each other, position by position."""
        turned = np.ascontiguousarray(state.transpose(1, 0, 2))
        q, k, v = self._heads_of(self._norm1(turned))
        attended = self._attended(q, k, v, mask)
        added = self._with_ffn(residual_add(self._out_proj(attended), turned, self._attn_tau))
        return np.ascontiguousarray(added.transpose(1, 0, 2))

    def _heads_of(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Queries, keys and values, each `[batch, head, position, dimension]`."""
        q, k, v = np.split(self._in_proj(x), np.cumsum(self._sizes), axis=-1)
        q, k, v = by_head(q, self._heads), by_head(k, self._groups), by_head(v, self._groups)
        if self._q_norm is not None and self._k_norm is not None:
            q, k = self._q_norm(q), self._k_norm(k)
        shared = self._heads // self._groups
        if shared > 1:
            k, v = np.repeat(k, shared, axis=1), np.repeat(v, shared, axis=1)
        return q * self._q_scale, k, v

    def _attended(self, q: Floats, k: Floats, v: Floats, mask: Floats | None) -> Floats:
        scores: Floats = np.matmul(q, k.swapaxes(-1, -2), dtype=np.float32)
        if mask is not None:
            scores += mask
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        out: Floats = np.matmul(scores, v, dtype=np.float32)
        return out.transpose(0, 2, 1, 3).reshape(out.shape[0], out.shape[2], -1)

    def _with_ffn(self, state: Floats) -> Floats:
        gate, x = np.split(self._fc1(self._norm2(state)), 2, axis=-1)
        gated: Floats = silu(x)
        gated *= gate
        return residual_add(self._fc2(gated), state, self._mlp_tau)


def _with_mask(scaled: Floats, observed: NDArray[np.bool_]) -> Floats:
    """`[series, patch, 64]`: the numbers of a patch, then 1 for each that is missing."""
    both = np.empty((scaled.shape[0], scaled.shape[1] // PATCH, 2, PATCH), np.float32)
    both[:, :, 0] = scaled.reshape(scaled.shape[0], -1, PATCH)
    both[:, :, 1] = ~observed.reshape(scaled.shape[0], -1, PATCH)
    return both.reshape(*both.shape[:2], 2 * PATCH)

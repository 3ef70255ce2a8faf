"""The network as a function of its weights, the loss, and the optimizer's steps.

Gated recurrent units (Cho et al. 2014, equations 5 to 8) read the blocks of a window in both
directions; every block also reads its whole window through a mean with learned weights. The kernel
evaluates the same network (`models/kernel/src/engines/hybrid/recurrent/`). Derivatives come from
JAX, steps from optax, and only this module uses them: a new architecture is a new `log_odds`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np
import optax

from winnow.lab.train.hybrid.weights import BOTH, Floats, Weights
from winnow.lab.train.hybrid.windows import WINDOWS, Batch, Values
from winnow.models._kernel.lab import HYBRID_INPUT, HYBRID_STATE

# values of 256 dropped in training: a tenth
_DROPPED: Final = 26
# values of a block that can be dropped
_NOISE: Final = HYBRID_INPUT + HYBRID_INPUT + 2 * BOTH
_RATE: Final = 3e-3
_RISE: Final = 0.15
_DECAY: Final = 1e-2
_LARGEST_NORM: Final = 1.0

# arrays of numpy or JAX
Layers = Mapping[str, Any]

# one thread, so that the order of sums does not depend on the number of processors
_compiled = partial(jax.jit, compiler_options={"xla_cpu_multi_thread_eigen": False})


class Inputs(NamedTuple):
    """Inputs of a batch; arrays are (HYBRID_WINDOW, SIDE, ...).

    Attributes:
        columns: scaled columns of the blocks.
        words: contribution of the blocks' known words to the first layer.
        noise: random bytes that choose the dropped values; None outside of training.
    """

    columns: Values
    words: Values
    is_block: Values
    first: Values
    last: Values
    window: Values
    noise: Values | None

    @classmethod
    def of(
        cls, batch: Batch, columns: Floats, words: Floats, random: np.random.Generator | None
    ) -> "Inputs":
        """Return the inputs; in training with a generator."""
        noise = None
        if random:
            noise = random.integers(0, 256, (*batch.is_block.shape, _NOISE), np.uint8)
        places = batch.is_block, batch.first, batch.last, batch.window.astype(np.int32)
        return cls(columns, words, *places, noise)


class Targets(NamedTuple):
    """Targets of the network; arrays are (HYBRID_WINDOW, SIDE, outputs).

    Attributes:
        labels: labels, 0 to 1.
        weight: weight of a label; zero if it is unknown, or if its set contradicts others.
        group: (HYBRID_WINDOW, SIDE): blocks with the same number are judged together, by the mean
        of their log-odds; None if each block is judged alone.
    """

    labels: Values
    weight: Values
    group: Values | None = None


def log_odds(weights: Layers, inputs: Inputs) -> jax.Array:
    """Return the log-odds of every block, (HYBRID_WINDOW, SIDE, outputs)."""
    noise = (
        [None, None] if inputs.noise is None else jnp.split(inputs.noise, [HYBRID_INPUT], axis=-1)
    )
    read = jax.nn.relu(inputs.columns @ weights["input"] + weights["input_bias"] + inputs.words)
    read = _dropped(read, noise[0]) * inputs.is_block[..., None]
    both = _states(weights, read, inputs)
    whole = _means(both, both @ weights["attention"], inputs.window)
    seen = _dropped(jnp.concatenate([read, both, whole], axis=-1), noise[1])
    joint = jax.nn.relu(seen @ weights["joint"] + weights["joint_bias"])
    return joint @ weights["output"] + weights["output_bias"]


def loss(weights: Layers, inputs: Inputs, targets: Targets) -> jax.Array:
    """Return the weighted sum of cross-entropies."""
    odds = log_odds(weights, inputs)
    if targets.group is not None:
        odds = pooled(odds, targets.group)
    entropy = optax.sigmoid_binary_cross_entropy(odds, targets.labels)
    return (entropy * targets.weight).sum()


def pooled(odds: jax.Array, group: Values) -> jax.Array:
    """Return the mean log-odds of each block's group; group numbers are below the block count."""
    flat, numbers = odds.reshape(-1, odds.shape[-1]), jnp.ravel(group)
    ones = jnp.ones((len(flat), 1), flat.dtype)
    sums, counts = (jax.ops.segment_sum(value, numbers, len(flat)) for value in (flat, ones))
    return (sums / jnp.maximum(counts, 1))[numbers].reshape(odds.shape)


def _states(weights: Layers, read: jax.Array, inputs: Inputs) -> jax.Array:
    """Return the states of both directions after every block."""
    ways = []
    for way, begins in enumerate((inputs.first, inputs.last)):
        gates = read @ weights["gates"][way] + weights["gates_bias"][way]
        step = partial(_step, weights["state"][way])
        nothing = jnp.zeros((read.shape[1], HYBRID_STATE), read.dtype)
        steps = gates, begins[..., None]
        _, states = jax.lax.scan(step, nothing, steps, reverse=way == 1)
        ways.append(states)
    return jnp.concatenate(ways, axis=-1)


def _step(
    weights: jax.Array, before: jax.Array, step: tuple[jax.Array, jax.Array]
) -> tuple[jax.Array, jax.Array]:
    """Return the state after a block twice: as carry and as output."""
    gates, begins = step
    before = jnp.where(begins, 0.0, before)
    projected = before @ weights
    reset, update = jnp.split(
        jax.nn.sigmoid((gates + projected)[:, : 2 * HYBRID_STATE]), 2, axis=-1
    )
    new = jnp.tanh(gates[:, 2 * HYBRID_STATE :] + reset * projected[:, 2 * HYBRID_STATE :])
    state = new + update * (before - new)
    return state, state


def _means(values: jax.Array, scores: jax.Array, window: Values) -> jax.Array:
    """Return for every block the mean of its window, weighted by the softmax of the scores."""
    is_of = window[..., None] == jnp.arange(WINDOWS)
    most = jnp.max(jnp.where(is_of, scores[..., None], -jnp.inf), axis=(0, 1))
    most = jax.lax.stop_gradient(jnp.where(jnp.isfinite(most), most, 0.0))
    of = is_of.astype(values.dtype).reshape(-1, WINDOWS)
    # the value of padding is not used, but must be finite
    shares = jnp.exp(jnp.where(window < WINDOWS, scores, 0.0).ravel() - of @ most)[:, None]
    sums = of.T @ (shares * jnp.concatenate([values.reshape(len(of), -1), 0 * shares + 1], axis=1))
    means = sums[:, :-1] / jnp.where(sums[:, -1:] > 0, sums[:, -1:], 1.0)
    return (of @ means).reshape(values.shape)


def _dropped(values: jax.Array, noise: jax.Array | None) -> jax.Array:
    """Return the values with some set to zero, and the others scaled up."""
    if noise is None:
        return values
    return values * (noise >= _DROPPED) * (256 / (256 - _DROPPED))


class Learner:
    """AdamW (Loshchilov and Hutter 2019) with a fixed number of steps and clipped gradients.

    A batch has few of all words, so a sparse matrix outside of JAX sums their rows.

    Attributes:
        weights: the current weights.
    """

    def __init__(self, weights: Weights, steps: int) -> None:
        """Start from these weights."""
        rate = optax.cosine_onecycle_schedule(steps, _RATE, pct_start=_RISE, final_div_factor=1e6)
        self._rule = optax.chain(
            optax.clip_by_global_norm(_LARGEST_NORM), optax.adamw(rate, weight_decay=_DECAY)
        )
        self._state = self._rule.init(weights)
        self._update = _compiled(self._updated, donate_argnums=(1, 2))
        self.weights: Layers = jax.tree.map(jnp.array, weights)

    def step(self, inputs: Inputs, targets: Targets, of_words: Callable[[Floats], Floats]) -> float:
        """Do one step and return the loss before it.

        Args:
            inputs: inputs of the batch.
            targets: targets of the batch.
            of_words: maps the gradient of the words' contribution to the gradient of the words.
        """
        layers = {name: value for name, value in self.weights.items() if name != "words"}
        value, (gradients, added) = _slopes(layers, inputs, targets)
        gradients = gradients | {"words": of_words(np.asarray(added))}
        self.weights, self._state = self._update(gradients, self._state, self.weights)
        return float(value)

    def _updated(
        self, gradients: Layers, state: optax.OptState, weights: Layers
    ) -> tuple[Layers, optax.OptState]:
        updates, state = self._rule.update(gradients, state, weights)
        return optax.apply_updates(weights, updates), state

    def trained(self) -> Weights:
        """Return the weights as arrays of numpy."""
        return {name: np.array(value) for name, value in self.weights.items()}


@_compiled
def judged(weights: Layers, inputs: Inputs) -> jax.Array:
    """Return the log-odds, with a compiled function."""
    return log_odds(weights, inputs)


@_compiled
def _slopes(
    weights: Layers, inputs: Inputs, targets: Targets
) -> tuple[jax.Array, tuple[Layers, jax.Array]]:
    """Return the loss, and its gradients for the weights and the words' contribution."""

    def of(weights: Layers, words: jax.Array) -> jax.Array:
        return loss(weights, inputs._replace(words=words), targets)

    found = jax.value_and_grad(of, argnums=(0, 1))(weights, inputs.words)
    return cast("tuple[jax.Array, tuple[Layers, jax.Array]]", found)

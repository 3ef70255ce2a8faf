"""Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from winnow.lab.train.web2text.network import Floats


@dataclass(slots=True)
class Adam:
    """Changes its parameters in place.

    Attributes:
        parameters: arrays of any shape; weights, which decay, have two dimensions.
        decay: share of a weight that a step at learning rate 1 removes.
        second_rate: decay rate of the second moments.
    """

    parameters: list[Floats]
    decay: float = 0.0
    second_rate: float = 0.999
    steps: int = 0
    first: list[Floats] = field(init=False)
    second: list[Floats] = field(init=False)

    def __post_init__(self) -> None:
        """Start with moments of zero."""
        self.first = [np.zeros_like(parameter) for parameter in self.parameters]
        self.second = [np.zeros_like(parameter) for parameter in self.parameters]

    def step(self, gradients: Sequence[Floats], learning_rate: float) -> None:
        """Move every parameter against its gradient."""
        self.steps += 1
        rate = learning_rate * np.sqrt(1 - self.second_rate**self.steps) / (1 - 0.9**self.steps)
        for index, gradient in enumerate(gradients):
            parameter, first, second = (
                arrays[index] for arrays in (self.parameters, self.first, self.second)
            )
            first += 0.1 * (gradient - first)
            second += (1 - self.second_rate) * (gradient * gradient - second)
            parameter -= (rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
            if parameter.ndim > 1:
                parameter *= np.float32(1 - learning_rate * self.decay)

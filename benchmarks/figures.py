"""`Figure`: one measured value with its budget; and how processor time is taken."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement.

    Attributes:
        name: what was measured, dotted: `layout.cpu.llm20k`.
        value: how much.
        unit: `s`, `px`, `share`, `ratio` or `count`.
        budget: largest value allowed; smallest one if `at_least`. None: for information.
        at_least: whether more is better.
    """

    name: str
    value: float
    unit: str
    budget: float | None = None
    at_least: bool = False

    @property
    def ok(self) -> bool:
        """Whether the budget is kept."""
        if self.budget is None:
            return True
        return self.value >= self.budget if self.at_least else self.value <= self.budget

    def as_json(self) -> dict[str, object]:
        """The five fields of the report."""
        return {"name": self.name, "value": self.value, "unit": self.unit, "budget": self.budget, "ok": self.ok}


def cpu_s(work: Callable[[], object], rounds: int) -> float:
    """Median processor time of *work* in seconds; the first of several rounds warms up and does not count."""
    times = []
    for _ in range(rounds + (rounds > 1)):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times[-rounds:])

"""`Colouring`: the verdicts of a placement laid over a scene, as arrays; another target makes another one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inspector.gui.canvas.scene import Bools, Ints, Scene
from inspector.gui.words import bytes_text
from inspector.model.graph import NodeId
from inspector.placement.verdict import Placement, Standing, Verdict

VERDICTS: tuple[Verdict, ...] = tuple(Verdict)
"""Verdict of each code in `Colouring.code`."""

PLAIN = -1
"""Code of a box without a verdict: inputs, outputs, and every node before placement."""

Codes = npt.NDArray[np.int8]
_CODE = {verdict: code for code, verdict in enumerate(VERDICTS)}


@dataclass(frozen=True)
class Colouring:
    """Verdicts, badges and crossings of a scene.

    Attributes:
        code: `[n]` index into `VERDICTS`, or `PLAIN`.
        inferred: `[n]` whether the verdict rests on inference.
        fixes: `[n]` number of rewrites offered at the node.
        crossing: `[m]` whether the edge is copied between processors.
        segment: `[n]` index of the box's segment on the BPU or CPU; -1 for a box in none.
        first: `[n]` whether the box is the first shown of its segment.
        segments: number of such segments on screen.
        chip: edge -> text of its crossing chip, `BPU → CPU 18.0 KiB`.
    """

    code: Codes
    inferred: Bools
    fixes: npt.NDArray[np.int32]
    crossing: Bools
    chip: Mapping[int, str]
    segment: Ints
    first: Bools
    segments: int


def colour_scene(
    scene: Scene,
    placement: Placement | None,
    fixes: Mapping[NodeId, int] | None = None,
) -> Colouring:
    """The colouring of *scene* by *placement* (None: nothing is known yet), with the count of *fixes* per node."""
    n, m = len(scene), len(scene.edge_source)
    badges = _badges(scene, fixes or {})
    code = np.full(n, PLAIN, dtype=np.int8)
    inferred = np.zeros(n, dtype=np.bool_)
    if placement is None:
        none = np.full(n, -1, dtype=np.int64)
        return Colouring(code, inferred, badges, np.zeros(m, dtype=np.bool_), {}, none, none >= 0, 0)
    boxes = np.fromiter(scene.box_of.values(), dtype=np.int64, count=len(scene.box_of))
    verdict, standing = placement.verdict, placement.standing
    code[boxes] = [_CODE[verdict.get(node, Verdict.UNKNOWN)] for node in scene.box_of]
    inferred[boxes] = [standing.get(node) is Standing.INFERRED for node in scene.box_of]
    chip = _chips(scene, placement)
    crossing = np.zeros(m, dtype=np.bool_)
    crossing[list(chip)] = True
    segment = np.full(n, -1, dtype=np.int64)
    runs = [run for run in placement.segments if run.verdict in (Verdict.BPU, Verdict.CPU)]
    places = [(box, run.index) for run in runs for node in run.nodes if (box := scene.box_of.get(node)) is not None]
    segment[[box for box, _ in places]] = [index for _, index in places]
    starts = {index: box for box, index in reversed(places)}
    first = np.zeros(n, dtype=np.bool_)
    first[list(starts.values())] = True
    return Colouring(code, inferred, badges, crossing, chip, segment, first, len(starts))


def with_fixes(colouring: Colouring, scene: Scene, fixes: Mapping[NodeId, int]) -> Colouring:
    """*colouring* of *scene* with another count of *fixes* per node."""
    return replace(colouring, fixes=_badges(scene, fixes))


def _badges(scene: Scene, fixes: Mapping[NodeId, int]) -> npt.NDArray[np.int32]:
    made = np.zeros(len(scene), dtype=np.int32)
    for node, count in fixes.items():
        box = scene.box_of.get(node)
        if box is not None:
            made[box] = count
    return made


def _chips(scene: Scene, placement: Placement) -> dict[int, str]:
    edges: dict[tuple[int, str], list[int]] = {}
    if placement.crossings:
        copied = {crossing.value for crossing in placement.crossings}
        for edge, (source, value) in enumerate(zip(scene.edge_source.tolist(), scene.edge_value.tolist(), strict=True)):
            if scene.values[value] in copied:
                edges.setdefault((source, scene.values[value]), []).append(edge)
    side = {node: segment.verdict for segment in placement.segments for node in segment.nodes}
    found: dict[int, str] = {}
    for crossing in placement.crossings:
        box = scene.box_of.get(crossing.source)
        target = side.get(crossing.target)
        source = side.get(crossing.source)
        if box is None or source is None or target is None:
            continue
        size = "? B" if crossing.bytes is None else bytes_text(crossing.bytes)
        for edge in edges.get((box, crossing.value), ()):
            consumer = scene.node[scene.edge_target[edge]]
            if consumer == crossing.target or side.get(NodeId(int(consumer))) is target:
                found[edge] = f"{source} → {target} {size}"
    return found

"""The boxes of a server's folder, built; a file that is none is stated in the log, and games go on without it."""

from collections.abc import Sequence
from pathlib import Path

import structlog

from domain.ruleset.kit import Kit
from infra.boxes import BOXES_MAX, Box, BoxRefused, list_box_files, read_box

log = structlog.get_logger()


def load_boxes(folder: Path, kits: Sequence[Kit]) -> tuple[Box, ...]:
    """Build every box of the folder, at most BOXES_MAX of them."""
    boxes: list[Box] = []
    for kit, path in list_box_files(folder, kits):
        try:
            boxes.append(read_box(kit, path))
        except BoxRefused as refused:
            log.warning("box_refused", file=refused.path.name, reason=refused.reason)
    if len(boxes) > BOXES_MAX:
        log.warning("boxes_left_out", expected=f"at most {BOXES_MAX}", found=len(boxes))
    return tuple(boxes[:BOXES_MAX])

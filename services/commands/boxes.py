"""The boxes of a server's folder, built; a file that is none is stated in the log, and games go on without it."""

from collections.abc import Sequence
from pathlib import Path

import structlog

from domain.ruleset.kit import Kit
from infra.boxes import BOXES_MAX, Box, BoxRefused, list_box_files, read_box

log = structlog.get_logger()


def load_boxes(folder: Path, kits: Sequence[Kit]) -> tuple[Box, ...]:
    """Build the boxes of the folder, of its first BOXES_MAX files."""
    boxes: list[Box] = []
    files = list(list_box_files(folder, kits))
    if len(files) > BOXES_MAX:
        log.warning("boxes_left_out", expected=f"at most {BOXES_MAX}", found=len(files))
    for kit, path in files[:BOXES_MAX]:
        try:
            boxes.append(read_box(kit, path))
        except BoxRefused as refused:
            log.warning("box_refused", file=refused.path.name, reason=refused.reason)
    return tuple(boxes)

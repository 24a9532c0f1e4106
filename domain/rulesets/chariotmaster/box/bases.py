"""CM-113: the bases of everything on the table, made from the components' sizes."""

from domain.rulesets.chariotmaster.box.component_file import Base, Components
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.geometry import Interval
from domain.rulesets.chariotmaster.table.shapes import Part, PartName, Shape, bounds, build_part, build_shape


def chariot_shape(components: Components) -> Shape:
    """Put the body, with the driver in it, behind the horses."""
    return build_shape(_part("horses", components.bases.horses), _part("body", components.bases.body))


def dragging_shape(components: Components) -> Shape:
    """Put the driver, in the reins, behind the horses."""
    return build_shape(_part("horses", components.bases.horses), _part("driver", components.bases.dragged_driver))


def team_shape(components: Components) -> Shape:
    """Return horses that draw nothing."""
    return build_shape(_part("horses", components.bases.horses))


def wreck_shape(components: Components) -> Shape:
    """Return the base of a body's wreck."""
    return build_shape(_part("wreck", components.bases.wreck))


def driver_shape(components: Components) -> Shape:
    """Return the base of a driver on foot."""
    return build_shape(_part("driver", components.bases.driver_on_foot))


def axle(components: Components) -> Interval:
    """Return where a chariot's axle is, ahead of its reference point: a stretch of no length."""
    rear_um, _, _, _ = bounds(chariot_shape(components))
    ahead_um = rear_um + components.numbers.axle_from_rear_mm * UM_PER_MM
    return ahead_um, ahead_um


def _part(name: PartName, base: Base) -> Part:
    return build_part(name, length_um=base.length_mm * UM_PER_MM, width_um=base.width_mm * UM_PER_MM)

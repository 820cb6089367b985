"""The parts of the loopback GitHub that everything else shares."""

from dataclasses import dataclass

from tests.github.announcing import Announcer
from tests.github.desk import Desk
from tests.github.facts import Facts
from tests.github.faults import Faults
from tests.github.mail import Mail
from tests.github.record import Record
from tests.github.world import World


@dataclass(frozen=True)
class Hub:
    world: World
    facts: Facts
    faults: Faults
    record: Record
    mail: Mail
    announcer: Announcer
    desk: Desk

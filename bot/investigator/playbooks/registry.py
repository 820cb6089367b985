"""Every playbook, in the order they are tried. When two would tell the same chain, the first tells it."""

from bot.investigator.playbook import Playbook

PLAYBOOKS: tuple[Playbook, ...] = ()

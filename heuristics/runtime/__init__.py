"""What a change does to the running system: capacity, probes and roll-outs, caches, schedules. Pure detection.

Rules turn it into findings; playbooks hold it against production.
"""

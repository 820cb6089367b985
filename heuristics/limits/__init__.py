"""Limits that a change alters: time-outs, attempts, batches, memory, concurrency, throughput. Pure; shared by rules and playbooks."""

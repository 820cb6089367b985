"""`make bench` of bencher.orchestration: what a call costs, how long a large journal opens, what kill -9 costs beside its peers."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import kills
import overhead

GOALS = {
    "parallel, no journal": 30.0,
    "pipeline, no journal": 30.0,
    "parallel, journal, process": 60.0,
    "pipeline, journal, process": 60.0,
}
"""Microseconds a call, on a machine whose floor is 5.4."""
FLOOR, OPEN_GOAL_S, GRID_GOAL_MS = 5.4, 0.5, 5.0


def main() -> int:
    """Print the tables; 1 when a goal is missed or bencher itself pays again."""
    parser = argparse.ArgumentParser(description="Overhead of bencher.orchestration, and kill -9 beside its peers.")
    parser.add_argument("--kills", type=int, default=10, help="kills for each peer and shape; slow starters get fewer")
    parser.add_argument("--peers", nargs="*", default=list(kills.PEERS), choices=list(kills.PEERS), metavar="PEER")
    parser.add_argument("--json", type=Path, help="write the figures there")
    options = parser.parse_args()

    costs = overhead.microseconds_a_call()
    floor = next(iter(costs.values()))
    print(
        f"\nmicroseconds of work a call, with power of waiting too (load {os.getloadavg()[0]:.1f}; goals are for a floor of {FLOOR:g}, here {floor:.1f})"
    )
    for name, cost in costs.items():
        goal = f"   goal {GOALS[name]:g}: {cost / floor * FLOOR:.0f} at that floor" if name in GOALS else ""
        print(f"{cost:9.1f}  {name}{goal}")
    seconds, mib = overhead.seconds_to_open()
    print(f"\n100,000 records, {mib:.0f} MiB, open in {seconds:.2f} s; goal {OPEN_GOAL_S:g}")

    over = overhead.milliseconds_over_the_plan()
    print(
        f"\n12 × 3 calls of 6 to 55 ms, wall time over the plan, ms (goal {GRID_GOAL_MS:g} beside what bare asyncio is late by)"
    )
    for shape, (ours, bare) in over.items():
        print(f"{ours:9.1f}  {shape}   bare asyncio {bare:.1f}")

    rows = list(_rows(options.peers, options.kills))
    if options.json:
        told = {"microseconds": costs, "open_seconds": seconds, "grid_ms_over_plan": over, "kills": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    missed = [name for name, goal in GOALS.items() if costs[name] / floor * FLOOR > goal]
    missed += ["open"] if seconds / floor * FLOOR > OPEN_GOAL_S else []
    missed += [f"the grid, {shape}" for shape, (ours, bare) in over.items() if ours - max(bare, 0) > GRID_GOAL_MS]
    missed += [f"kill -9, {row.shape}" for row in rows if row.peer == "bencher" and (row.paid_again or row.wrong or row.failed)]
    if missed:
        print(f"\nmissed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


def _rows(peers: list[str], count: int) -> Iterator[kills.Row]:
    print("\nkill -9 in the middle of 12 × 3 calls, then a resume")
    print(f"{'':10} {'':9} {'kills':>5} {'had ended':>10} {'paid again':>11} {'in flight':>10} {'of another question':>20}")
    for peer in peers:
        python = kills.interpreter_of(peer)
        if isinstance(python, str):
            print(f"{peer:10} cannot be installed here: {python}")
            continue
        for shape in ("parallel", "pipeline"):
            row = kills.measured(peer, python, shape, count, seed=1)
            broken = f"   {len(row.failed)} resumes failed: {row.failed[0]}" if row.failed else ""
            print(
                f"{peer:10} {shape:9} {row.kills:5} {row.finished:10} {row.paid_again:11} {row.in_flight:10} "
                f"{row.wrong:13} of {row.answers:3}{broken}",
                flush=True,
            )
            yield row


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Build and check the run-time cases: build_runtime.py --corpuslib DIR [--out DIR].

DIR holds corpuslib.py and validate.py of the example corpus. Numbers start at 201 and say nothing about the label.
"""
from __future__ import annotations

import argparse
import glob
import os
import random
import shutil
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--corpuslib", required=True, help="folder with corpuslib.py and validate.py")
    ap.add_argument("--out", default=os.path.dirname(HERE))
    args = ap.parse_args()
    sys.path[:0] = [HERE, args.corpuslib]
    import corpuslib
    import validate

    import cases_runtime

    slugs = sorted(corpuslib.CASES)
    random.Random(20260512).shuffle(slugs)
    for old in glob.glob(os.path.join(args.out, "2[0-9][0-9]-*")):
        shutil.rmtree(old)
    pair = {s: k for k, v in cases_runtime.PAIRS.items() for s in v}
    missing = set(pair) - set(slugs)
    bad = [f"pair names unknown {s}" for s in sorted(missing)]
    java, tf, rows, titles = [], [], [], Counter()
    for n, slug in enumerate(slugs, 201):
        c = corpuslib.CASES[slug]
        c.pair = pair.get(slug)
        m = c.write(args.out, f"{n:03d}")
        rows.append(m)
        titles[m["title"]] += 1
        j, t = [], []
        try:
            validate.check_case(os.path.join(args.out, m["id"]), lambda msg, i=m["id"]: bad.append(f"{i}: {msg}"), j, t)
        except Exception as e:  # noqa: BLE001
            bad.append(f"{m['id']}: {type(e).__name__}: {e}")
        java += [(f"{m['id']}/{a}", b) for a, b in j]
        tf += [(f"{m['id']}/{a}", b) for a, b in t]
    validate.check_java(java, bad.append)
    validate.check_tf(tf, bad.append)
    bad += [f"title used twice: {t}" for t, k in titles.items() if k > 1]
    for k, v in Counter((m["category"], m["expected_status"]) for m in rows).items():
        print(*k, v)
    print(len(rows), Counter(m["expected_status"] for m in rows), Counter(m["expected"] for m in rows))
    for b in bad:
        print("BAD", b)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

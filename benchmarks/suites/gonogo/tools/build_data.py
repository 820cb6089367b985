#!/usr/bin/env python3
"""Build and check the cases of cases_data.py: build_data.py --corpuslib DIR [--out DIR] [--only SLUG].

DIR holds corpuslib.py and validate.py. Case numbers are 101, 102, ... in an order that says nothing
about the label; only directories whose number lies in 101..199 and which this script wrote are replaced.
"""
from __future__ import annotations

import argparse
import glob
import os
import random
import re
import shutil
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--corpuslib", required=True)
    ap.add_argument("--out", default=os.path.dirname(HERE))
    ap.add_argument("--only", action="append", default=[])
    args = ap.parse_args()
    sys.dont_write_bytecode = True
    sys.path[:0] = [args.corpuslib, HERE]
    import cases_data
    import corpuslib
    import validate

    slugs = sorted(corpuslib.CASES)
    random.Random(20260511).shuffle(slugs)
    pair = {s: k for k, v in cases_data.PAIRS.items() for s in v}
    if set(pair) - set(slugs):
        print("BAD pairs without a case:", sorted(set(pair) - set(slugs)))
    if not args.only:
        for old in glob.glob(os.path.join(args.out, "1[0-9][0-9]-*")):
            if int(os.path.basename(old)[:3]) > 100:
                shutil.rmtree(old)
    bad, java, tf, labels, cats, titles = [], [], [], Counter(), Counter(), Counter()
    for n, slug in enumerate(slugs, 101):
        c = corpuslib.CASES[slug]
        c.pair = pair.get(slug)
        if args.only and slug not in args.only:
            continue
        m = c.write(args.out, f"{n:03d}")
        name = m["id"]
        j, t = [], []
        try:
            validate.check_case(os.path.join(args.out, name), lambda s: bad.append(f"{name}: {s}"), j, t)
        except Exception as e:  # noqa: BLE001
            bad.append(f"{name}: {type(e).__name__}: {e}")
        java += [(f"{name}/{a}".replace("/", ":", 1) if ":" not in a else f"{name}/{a}", b) for a, b in j]
        tf += [(f"{name}/{a}", b) for a, b in t]
        labels[f"{m['expected']}/{m['expected_status']}"] += 1
        cats[m["category"]] += 1
        titles[m["title"]] += 1
        if m.get("pair"):
            other = [s for s in cases_data.PAIRS[m["pair"]] if s != slug and s in corpuslib.CASES]
            if other and all(corpuslib.CASES[s].meta_d["expected"] == m["expected"] for s in other):
                bad.append(f"{name}: pair {m['pair']} has one verdict")
        texts = {**{f"base:{k}": v for k, v in c.base.items()}, **{f"head:{k}": v for k, v in c.head_tree().items()}}
        for k, v in texts.items():
            if k.endswith((".kt", ".tsx", ".cjs", ".mjs")):
                validate.balance(v, lambda s: bad.append(f"{name}: {s}"), k)
            if k.endswith(".sql"):
                check_sql(v, lambda s: bad.append(f"{name}: {s}"), k, c)
            if re.search(r"(?m)[ \t]+$", v):
                bad.append(f"{name}: {k}: trailing space")
    validate.check_java(java, bad.append)
    validate.check_tf(tf, bad.append)
    bad += [f"title used twice: {t}" for t, k in titles.items() if k > 1]
    print(sum(labels.values()), "cases,", dict(sorted(labels.items())), dict(sorted(cats.items())))
    for b in bad:
        print("BAD", b)
    print("ok" if not bad else f"{len(bad)} problems")
    return 1 if bad else 0


def check_sql(text, err, path, c) -> None:
    """PostgreSQL's own grammar where pglast is installed, sqlglot for MySQL; neither: not checked."""
    mysql = any("mysql" in r["kind"] or "mysql" in str(r["attributes"].get("engine")) for r in c.p.resources)
    try:
        if mysql:
            import sqlglot
            sqlglot.parse(text, dialect="mysql")
        else:
            import pglast
            pglast.parse_sql(text)
    except ImportError:
        pass
    except Exception as e:  # noqa: BLE001
        err(f"{path}: {str(e).splitlines()[0]}")


if __name__ == "__main__":
    sys.exit(main())

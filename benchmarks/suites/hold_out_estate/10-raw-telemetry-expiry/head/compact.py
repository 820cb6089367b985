import sys

import pyarrow.parquet as pq
import pyarrow.json as pj


def compact(day: str) -> None:
    table = pj.read_json(f"/mnt/lake/telemetry/raw/{day}.jsonl")
    pq.write_table(table, f"/mnt/lake/telemetry/parquet/{day}.parquet")


if __name__ == "__main__":
    compact(sys.argv[1])

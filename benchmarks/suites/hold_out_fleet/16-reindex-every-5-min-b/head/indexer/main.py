import logging
import os
import time
from concurrent.futures import ThreadPoolExecutor

from psycopg_pool import ConnectionPool

from .articles import shard_rows
from .sink import bulk

SHARDS = 40
log = logging.getLogger("indexer")


def main() -> None:
    started = time.monotonic()
    with ConnectionPool(os.environ["ARTICLES_DSN"], min_size=SHARDS, max_size=SHARDS) as pool:
        with ThreadPoolExecutor(SHARDS) as workers:
            done = sum(workers.map(lambda n: bulk(shard_rows(pool, n, SHARDS)), range(SHARDS)))
    log.info("reindex finished docs=%d seconds=%.0f", done, time.monotonic() - started)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main()

import argparse
import os

from confluent_kafka import Consumer

from sink import write_parquet


def run(topic: str, group: str) -> None:
    c = Consumer({"bootstrap.servers": os.environ["KAFKA"], "group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False, "enable.partition.eof": True})
    c.subscribe([topic])
    while batch := c.consume(50_000, timeout=30):
        write_parquet(m.value() for m in batch if not m.error())
        c.commit(asynchronous=False)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--topic")
    p.add_argument("--group")
    p.add_argument("--until-end", action="store_true")
    a = p.parse_args()
    run(a.topic, a.group)

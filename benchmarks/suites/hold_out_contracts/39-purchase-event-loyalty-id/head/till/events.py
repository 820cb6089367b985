import json
import os

from confluent_kafka import Producer

producer = Producer({"bootstrap.servers": os.environ["KAFKA_BROKERS"]})


def purchase(receipt: str, customer: str, total_minor: int) -> None:
    body = {
        "receipt": receipt,
        "customerId": customer,
        "totalMinor": total_minor,
    }
    producer.produce("purchases", key=receipt, value=json.dumps(body))

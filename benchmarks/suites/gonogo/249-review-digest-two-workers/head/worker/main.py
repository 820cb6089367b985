import json
import os

import pika

from .handle import handle


def main() -> None:
    conn = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
    ch = conn.channel()
    ch.basic_qos(prefetch_count=1)

    def on(channel, method, _props, body):
        handle(json.loads(body))
        channel.basic_ack(method.delivery_tag)

    ch.basic_consume("reviews", on)
    ch.start_consuming()

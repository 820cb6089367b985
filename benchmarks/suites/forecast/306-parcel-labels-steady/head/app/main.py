"""Works off parcel-labels.in, one message at a time."""
import os

import pika


def main():
    connection = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
    channel = connection.channel()
    channel.basic_qos(prefetch_count=1)
    channel.basic_consume(queue="parcel-labels.in", on_message_callback=handle)
    channel.start_consuming()


def handle(channel, method, properties, body):
    channel.basic_ack(method.delivery_tag)


if __name__ == "__main__":
    main()

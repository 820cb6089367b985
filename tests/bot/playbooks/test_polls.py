"""How many messages are taken at a time, against the time there is for them: Kafka in every client, SQS, RabbitMQ."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

ALL_DAY = 288


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "batch-and-visibility"]


def a_consumer(*, seconds=None, lag=None, at="group", members=6.0, busiest=None, suffix="p50"):
    """A reader of one topic; `lag` is held all day, `busiest` for the last two hours."""
    production = MemoryProduction("github:acme/customs")
    reader = production.resource(
        "kubernetes:prod/trade/deployment/customs", "kubernetes.deployment", "customs", is_deployed=True, replicas=2
    )
    topic = production.resource("kafka:topic:customs", "kafka.topic", "customs", partitions=6)
    group = production.resource("kafka:consumer-group:customs", "kafka.consumer_group", "customs", members=members)
    production.edge(topic, reader, "triggers")
    production.edge(group, topic, "reads_from")
    production.metric(topic, "kafka_topic_messages_in_per_second", "Count/Second", 3.0)
    if seconds is not None:
        production.metric(reader, f"spring_kafka_listener_seconds.{suffix}", "Seconds", seconds)
    if lag is not None or busiest is not None:
        values = [lag or 0.0] * (ALL_DAY - 24) + [busiest if busiest is not None else lag] * 24
        production.metric({"group": group, "topic": topic, "reader": reader}[at], "kafka_consumergroup_lag", "Count", values)
    return production


FORMS = {
    "src/main/resources/application.yml": "spring:\n  kafka:\n    consumer:\n      max-poll-records: {}\n      properties:\n        max.poll.interval.ms: 300000\n",
    "src/main/resources/application.properties": "spring.kafka.consumer.max-poll-records={}\n",
    "quarkus/application.properties": "mp.messaging.incoming.orders.max.poll.records={}\n",
    "src/main/resources/application.conf": "akka.kafka.consumer {{ kafka-clients {{ max.poll.records = {} }} }}\n",
    "src/main/java/C.java": "class C {{ void c() {{ props.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, {}); }} }}\n",
    "src/main/java/M.java": 'class M {{ Object m = Map.of(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 300000, "max.poll.records", "{}"); }}\n',
    "src/main/kotlin/K.kt": "val p = mapOf(ConsumerConfig.MAX_POLL_RECORDS_CONFIG to {}, ConsumerConfig.GROUP_ID_CONFIG to g)\n",
    "app/consumer.py": 'c = KafkaConsumer("customs", max_poll_records={}, max_poll_interval_ms=300000)\n',
    "app/poll.py": "for batch in c.poll(timeout_ms=100, max_records={}): pass\n",
    "app/consume.py": "messages = consumer.consume(num_messages={}, timeout=1.0)\n",
    "internal/poll.go": "package poll\n\nfunc Poll() {{ f := cl.PollRecords(ctx, {}) }}\n",
    "k8s/deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: customs, namespace: trade}}\nspec:\n  template:\n    spec:\n      containers:\n"
    '        - name: app\n          image: a\n          env:\n            - {{name: SPRING_KAFKA_CONSUMER_MAX_POLL_RECORDS, value: "{}"}}\n',
}  # fmt: skip
every_form = pytest.mark.parametrize(("path", "text"), FORMS.items(), ids=FORMS)


def poll(path, text, production, more=None):
    files = {path: text.format(50), **(more or {})}
    return told(evaluation_of(files, {path: text.format(500)}, production))


@every_form
def test_a_full_poll_that_outlasts_the_interval_in_the_busiest_hours_is_confirmed(path, text) -> None:
    assert poll(path, text, a_consumer(seconds=0.9, lag=12.0, busiest=30_000.0)) == ["confirmed"]


@every_form
def test_a_full_poll_of_quick_records_is_refuted(path, text) -> None:
    assert poll(path, text, a_consumer(seconds=0.1, lag=30_000.0, suffix="p95")) == ["refuted"]


@every_form
def test_without_a_lag_that_fills_polls_slow_records_stay_a_question(path, text) -> None:
    assert poll(path, text, a_consumer(seconds=0.9, lag=12.0)) == ["plausible"]
    assert poll(path, text, a_consumer(seconds=0.9, lag=12.0, busiest=1_200.0)) == ["plausible"]


SPRING = ("src/main/resources/application.yml", FORMS["src/main/resources/application.yml"])


@pytest.mark.parametrize("at", ["group", "topic", "reader"])
def test_the_lag_counts_wherever_it_is_measured(at) -> None:
    assert poll(*SPRING, a_consumer(seconds=0.9, lag=30_000.0, at=at)) == ["confirmed"]


def test_records_that_are_worked_on_side_by_side_do_not_confirm() -> None:
    code = {"src/main/kotlin/Inbound.kt": '@KafkaListener(topics = ["a"])\nfun on(b: String) { executor.submit { work(b) } }\n'}

    assert poll(*SPRING, a_consumer(seconds=0.9, lag=30_000.0), code) == ["plausible"]


def test_a_method_of_another_service_that_is_called_submit_is_no_pool() -> None:
    code = {"src/main/kotlin/Inbound.kt": '@KafkaListener(topics = ["a"])\nfun on(b: String) { authority.submit(b) }\n'}

    assert poll(*SPRING, a_consumer(seconds=0.9, lag=30_000.0), code) == ["confirmed"]


def test_the_time_of_a_listener_that_is_given_whole_polls_is_that_of_a_poll() -> None:
    code = {"src/main/java/L.java": 'class L { @KafkaListener(topics = "a", batch = "true") void on(List<String> all) {} }\n'}

    assert poll(*SPRING, a_consumer(seconds=10.0, lag=30_000.0, suffix="p99"), code) == ["refuted"]
    assert poll(*SPRING, a_consumer(seconds=45.0, lag=30_000.0), code) == ["confirmed"]


def test_a_logged_batch_tells_the_time_of_a_record() -> None:
    for seconds, status in (("45.1", "confirmed"), ("1.2", "refuted")):
        production = a_consumer(lag=30_000.0)
        production.log(
            "kubernetes:prod/trade/deployment/customs",
            *[f"batch done records=50 took={seconds}s partition={n}" for n in range(5)],
        )
        assert poll(*SPRING, production) == [status]


INTERVALS = {
    "src/main/resources/application.yml": "spring.kafka.consumer:\n  max-poll-records: 500\n  properties:\n    max.poll.interval.ms: {}\n",
    "src/main/resources/application.properties": "spring.kafka.properties.max.poll.interval.ms={}\n",
    "app/consumer.py": 'c = KafkaConsumer("customs", max_poll_interval_ms={})\n',
    "src/main/java/C.java": "class C {{ void c() {{ props.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, {}); }} }}\n",
}


@pytest.mark.parametrize(("path", "text"), INTERVALS.items(), ids=INTERVALS)
@pytest.mark.parametrize(("seconds", "suffix", "status"), [(0.9, "p50", "confirmed"), (0.05, "p99", "refuted")])
def test_a_shorter_interval_is_held_against_a_full_poll(path, text, seconds, suffix, status) -> None:
    production = a_consumer(seconds=seconds, lag=30_000.0, suffix=suffix)

    assert told(evaluation_of({path: text.format(900_000)}, {path: text.format(60_000)}, production)) == [status]


def test_a_client_that_hands_out_one_message_at_a_time_needs_the_interval_for_one() -> None:
    text = 'from confluent_kafka import Consumer\nc = Consumer({{"max.poll.interval.ms": {}}})\n'
    for seconds, status in ((200.0, "confirmed"), (0.9, "refuted")):
        suffix = "p50" if status == "confirmed" else "p99"
        production = a_consumer(seconds=seconds, lag=30_000.0, suffix=suffix)
        assert told(evaluation_of({"a.py": text.format(900_000)}, {"a.py": text.format(60_000)}, production)) == [status]


def a_poller(*, seconds=None, waiting=500.0, visibility_s=30, kind="aws.sqs.queue"):
    production = MemoryProduction("github:acme/labels")
    reader = production.resource(
        "arn:aws:ecs:eu-west-1:1:service/a/labels", "aws.ecs.service", "labels", is_deployed=True, desired_count=2
    )
    queue = production.resource("arn:aws:sqs:eu-west-1:1:labels", kind, "labels", visibility_timeout_s=visibility_s)
    production.edge(reader, queue, "reads_from")
    production.metric(queue, "ApproximateNumberOfMessagesVisible", "Count", waiting)
    if seconds is not None:
        production.metric(reader, "message_processing_seconds.p50", "Seconds", seconds)
    return production


POLLERS = {
    "app/worker.py": "found = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages={}, WaitTimeSeconds=20)\n",
    "src/worker.ts": "const found = await client.send(new ReceiveMessageCommand({{ QueueUrl: url, MaxNumberOfMessages: {} }}));\n",
    "internal/worker.go": "package worker\n\nvar in = sqs.ReceiveMessageInput{{MaxNumberOfMessages: {}}}\n",
    "src/main/resources/application.yml": "spring:\n  cloud:\n    aws:\n      sqs:\n        listener:\n          max-messages-per-poll: {}\n",
}


@pytest.mark.parametrize(("path", "text"), POLLERS.items(), ids=POLLERS)
@pytest.mark.parametrize(("seconds", "status"), [(9.0, "confirmed"), (0.2, "refuted"), (None, "plausible")])
def test_a_bigger_receive_is_held_against_the_visibility_of_the_queue(path, text, seconds, status) -> None:
    assert told(evaluation_of({path: text.format(1)}, {path: text.format(10)}, a_poller(seconds=seconds))) == [status]


@pytest.mark.parametrize(("seconds", "expected"), [(30.0, ["confirmed"]), (0.1, ["refuted"]), (None, [])])
def test_a_bigger_prefetch_is_held_against_the_consumer_time_out(seconds, expected) -> None:
    text = "channel.basic_qos(prefetch_count={})\n"
    production = a_poller(seconds=seconds, kind="rabbitmq.queue")

    assert told(evaluation_of({"app/worker.py": text.format(1)}, {"app/worker.py": text.format(100)}, production)) == expected

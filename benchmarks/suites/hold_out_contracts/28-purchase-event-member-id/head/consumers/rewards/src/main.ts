import { Kafka } from "kafkajs";
import { credit, memberOf } from "./members";
import { Purchase } from "./schema";

const kafka = new Kafka({ brokers: process.env.KAFKA_BROKERS!.split(",") });
const consumer = kafka.consumer({ groupId: "rewards" });
const dead = kafka.producer();

await consumer.connect();
await dead.connect();
await consumer.subscribe({ topic: "purchases" });
await consumer.run({
  eachMessage: async ({ message }) => {
    const parsed = Purchase.safeParse(JSON.parse(message.value!.toString()));
    if (!parsed.success) {
      await dead.send({ topic: "purchases-dead", messages: [message] });
      return;
    }
    const p = parsed.data;
    await credit(await memberOf(p.customerId), Math.floor(p.totalMinor / 100));
  },
});

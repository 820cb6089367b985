package nordhaul.shipments

import org.apache.kafka.clients.producer.KafkaProducer
import org.apache.kafka.clients.producer.ProducerRecord

class Publisher(private val producer: KafkaProducer<String, ShipmentDispatched>) {
    fun dispatched(id: String, at: Long, pallets: Int) {
        val event = ShipmentDispatched.newBuilder()
            .setShipmentId(id)
            .setDispatchedAt(at)
            .setPallets(pallets)
            .build()
        producer.send(ProducerRecord("shipments-dispatched", id, event))
    }
}

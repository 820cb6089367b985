package no.fjordline

import org.springframework.kafka.annotation.KafkaListener
import org.springframework.stereotype.Component

@Component
class Inbound(private val authority: AuthorityClient) {
    private val mapper = MsgMapper()

    @KafkaListener(topics = ["tariff-lookups"])
    fun on(body: String) {
        authority.submit(mapper.read(body))
    }
}

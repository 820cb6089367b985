package points

import com.fasterxml.jackson.databind.ObjectMapper
import software.amazon.awssdk.services.sqs.SqsClient

class Publisher(private val sqs: SqsClient, private val queueUrl: String) {
    private val json = ObjectMapper()

    fun publish(event: PurchaseEvent) {
        sqs.sendMessage { it.queueUrl(queueUrl).messageBody(json.writeValueAsString(event)) }
    }
}

package example.tilhenger.rentals

import aws.sdk.kotlin.services.sns.SnsClient
import aws.sdk.kotlin.services.sns.publish
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json

class Publisher(private val sns: SnsClient, private val topic: String = System.getenv("TOPIC_ARN")) {
    suspend fun publish(event: RentalEvent) {
        sns.publish {
            topicArn = topic
            message = Json.encodeToString(event)
        }
    }
}

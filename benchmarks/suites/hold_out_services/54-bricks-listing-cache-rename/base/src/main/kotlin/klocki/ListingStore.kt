package klocki

import io.lettuce.core.api.sync.RedisCommands
import software.amazon.awssdk.services.dynamodb.DynamoDbClient
import software.amazon.awssdk.services.dynamodb.model.AttributeValue

class ListingStore(private val redis: RedisCommands<String, String>, private val ddb: DynamoDbClient) {
    private val ttlSeconds = 43_200L

    fun find(id: String): String? {
        redis.get("listing:$id")?.let { return it }
        val item = ddb.getItem {
            it.tableName("listings")
                .key(mapOf("listing_id" to AttributeValue.fromS(id)))
                .consistentRead(true)
        }.item()
        val body = item["body"]?.s() ?: return null
        redis.setex("listing:$id", ttlSeconds, body)
        return body
    }
}

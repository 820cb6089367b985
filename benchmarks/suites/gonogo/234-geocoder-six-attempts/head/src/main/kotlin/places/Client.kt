package places

import io.github.resilience4j.retry.annotation.Retry
import org.springframework.stereotype.Component
import org.springframework.web.client.RestClient

@Component
class Client(private val http: RestClient) {
    @Retry(name = "geocoder")
    fun fetch(key: String): Answer? =
        http.get().uri("/v2/{key}", key).retrieve().body(Answer::class.java)
}

data class Answer(val key: String, val value: String)

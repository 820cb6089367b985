package nordparcel.tracker

import org.springframework.beans.factory.annotation.Value
import org.springframework.scheduling.annotation.Scheduled
import org.springframework.stereotype.Component
import org.springframework.web.client.RestClient

@Component
class StatusPoller(@Value("\${CARRIER_BASE_URL}") url: String) {
    private val http = RestClient.create(url)

    @Scheduled(fixedDelay = 5000)
    fun poll() {
        http.get().uri("/events").retrieve().toBodilessEntity()
    }
}

package nordparcel.labels

import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import org.springframework.web.client.RestClient

@Component
class CarrierClient(@Value("\${CARRIER_BASE_URL}") url: String) {
    private val http = RestClient.create(url)

    fun label(parcel: String): ByteArray? = http.get().uri("/labels/{p}", parcel).retrieve().body(ByteArray::class.java)
}

package board.eta

import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.binder.okhttp3.OkHttpMetricsEventListener
import java.io.IOException
import java.util.concurrent.TimeUnit
import okhttp3.ConnectionPool
import okhttp3.OkHttpClient
import okhttp3.Request
import org.springframework.http.HttpStatus
import org.springframework.stereotype.Component
import org.springframework.web.server.ResponseStatusException

@Component
class EtaClient(private val props: EtaProperties, registry: MeterRegistry) {
    private val http = OkHttpClient.Builder()
        .callTimeout(props.callTimeout)
        .eventListener(OkHttpMetricsEventListener.builder(registry, "http.client.requests").build())
        .connectionPool(ConnectionPool(props.maxIdleConnections, 5, TimeUnit.MINUTES))
        .build()

    fun minutes(truck: String, stop: String): Int {
        val request = Request.Builder().url("${props.baseUrl}/v2/eta?truck=$truck&stop=$stop").build()
        try {
            http.newCall(request).execute().use { return it.body!!.string().trim().toInt() }
        } catch (e: IOException) {
            throw ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "eta", e)
        }
    }
}

package travel.fares

import java.time.Duration
import okhttp3.OkHttpClient
import okhttp3.Request

class FareClient(private val baseUrl: String) {
    private val http = OkHttpClient.Builder()
        .connectTimeout(Duration.ofMillis(300))
        .readTimeout(Duration.ofMillis(900))
        .retryOnConnectionFailure(false)
        .build()

    fun quote(origin: String, destination: String, day: String): String {
        val req = Request.Builder().url("$baseUrl/quote?from=$origin&to=$destination&day=$day").build()
        http.newCall(req).execute().use { res ->
            check(res.isSuccessful) { "fare-search ${res.code}" }
            return res.body!!.string()
        }
    }
}

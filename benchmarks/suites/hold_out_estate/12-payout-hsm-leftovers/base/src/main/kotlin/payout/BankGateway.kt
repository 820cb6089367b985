package payout

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers

object BankGateway {
    private val http = HttpClient.newHttpClient()
    private val url = System.getenv("BANK_GATEWAY_URL") ?: "http://localhost:9090"

    fun submit(order: String, signature: ByteArray): String {
        val request = HttpRequest.newBuilder(URI.create("$url/orders"))
            .header("x-signature", java.util.Base64.getEncoder().encodeToString(signature))
            .POST(HttpRequest.BodyPublishers.ofString(order)).build()
        return http.send(request, BodyHandlers.ofString()).body()
    }
}

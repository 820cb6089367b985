package travel

import io.ktor.server.application.call
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import travel.fares.FareClient

fun main() {
    val fares = FareClient(System.getenv("FARE_SEARCH_URL"))
    embeddedServer(Netty, port = 8080) {
        routing {
            get("/itineraries") {
                val q = call.request.queryParameters
                call.respondText(fares.quote(q["from"]!!, q["to"]!!, q["day"]!!))
            }
        }
    }.start(wait = true)
}

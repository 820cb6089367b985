package payout

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.call
import io.ktor.server.request.receiveText
import io.ktor.server.response.respond
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.routing

fun Application.routes() = routing {
    get("/alive") { call.respond(HttpStatusCode.OK) }
    post("/payouts") {
        val order = call.receiveText()
        val signed = Signer.sign(order.toByteArray())
        call.respond(HttpStatusCode.Accepted, BankGateway.submit(order, signed))
    }
}

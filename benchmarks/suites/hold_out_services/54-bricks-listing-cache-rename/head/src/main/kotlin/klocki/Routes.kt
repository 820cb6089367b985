package klocki

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.routes(store: ListingStore) = routing {
    get("/listings/{id}") {
        call.respondText(store.find(call.parameters["id"]!!) ?: "{}")
    }
}

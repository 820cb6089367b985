package payout

import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import org.slf4j.LoggerFactory

private val log = LoggerFactory.getLogger("payout")

fun main() {
    val pin = System.getenv("HSM_PIN_FILE")
    if (pin != null && !java.io.File(pin).exists()) log.warn("pin file {} is missing, using agent", pin)
    embeddedServer(Netty, port = 8080) { routes() }.start(wait = true)
}

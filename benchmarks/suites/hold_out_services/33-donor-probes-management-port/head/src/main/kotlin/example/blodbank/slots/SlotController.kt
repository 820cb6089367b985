package example.blodbank.slots

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

@RestController
class SlotController(private val slots: SlotRepository) {
    @GetMapping("/ping")
    fun ping() = "pong"

    @GetMapping("/centres/{centre}/slots")
    fun open(@PathVariable centre: Int) = slots.open(centre)
}

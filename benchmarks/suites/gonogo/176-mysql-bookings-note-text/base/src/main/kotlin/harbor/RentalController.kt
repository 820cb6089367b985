package harbor

import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RestController

data class NewRental(val unit: Long, val guest: Long, val note: String?)

@RestController
class RentalController(private val rentals: RentalRepository) {
    @PostMapping("/rentals")
    fun add(@RequestBody body: NewRental) {
        require((body.note?.length ?: 0) <= 500)
        rentals.add(body.unit, body.guest, body.note)
    }
}

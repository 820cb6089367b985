package fleet

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

@RestController
class TourController(private val stops: StopRepository) {
    @GetMapping("/depots/{code}/stops")
    fun byDepot(@PathVariable code: String) = stops.findTop500ByDepotCode(code).map { it.id }
}

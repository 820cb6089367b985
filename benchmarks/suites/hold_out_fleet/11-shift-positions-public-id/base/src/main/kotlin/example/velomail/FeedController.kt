package example.velomail

import org.springframework.web.bind.annotation.*

@RestController
@RequestMapping("/v2/shifts")
class FeedController(private val positions: PositionRepository) {
    @GetMapping("/{shiftId}/positions")
    fun positions(@PathVariable shiftId: Long) = positions.ofShift(shiftId)

    @PostMapping("/{shiftId}/positions")
    fun report(@PathVariable shiftId: Long, @RequestBody p: Position) = positions.upsert(shiftId, p.courierId, p.lat, p.lon)
}

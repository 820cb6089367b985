package pairwise

import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RestController

@RestController
class Api(private val matcher: Matcher, private val drivers: Drivers) {
    @PostMapping("/match")
    fun match(@RequestBody rider: Rider) = matcher.match(drivers.near(rider), rider)
}

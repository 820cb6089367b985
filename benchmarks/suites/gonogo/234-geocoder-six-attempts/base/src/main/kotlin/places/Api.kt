package places

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

@RestController
class Api(private val client: Client) {
    @GetMapping("/places/{key}")
    fun get(@PathVariable key: String) = client.fetch(key)
}

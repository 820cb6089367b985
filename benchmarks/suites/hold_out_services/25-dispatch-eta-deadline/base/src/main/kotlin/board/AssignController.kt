package board

import board.eta.EtaClient
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RestController

@RestController
class AssignController(private val eta: EtaClient, private val loads: LoadRepository) {
    @PostMapping("/loads/{id}/assign/{truck}")
    fun assign(@PathVariable id: String, @PathVariable truck: String): Assignment {
        val load = loads.find(id)
        return loads.assign(load, truck, eta.minutes(truck, load.firstStop))
    }
}

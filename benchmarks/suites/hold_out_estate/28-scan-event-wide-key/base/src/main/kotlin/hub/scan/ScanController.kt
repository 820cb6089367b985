package hub.scan

import org.springframework.web.bind.annotation.*

@RestController
class ScanController(private val repo: ScanRepository) {
    @PostMapping("/scans")
    fun add(@RequestBody e: ScanEvent) = repo.save(e).id

    @GetMapping("/parcels/{barcode}/scans")
    fun trail(@PathVariable barcode: String) = repo.findByBarcode(barcode)
}

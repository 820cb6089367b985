package hub.scan

import org.springframework.data.repository.CrudRepository

interface ScanRepository : CrudRepository<ScanEvent, Long> {
    fun findByBarcode(barcode: String): List<ScanEvent>
}

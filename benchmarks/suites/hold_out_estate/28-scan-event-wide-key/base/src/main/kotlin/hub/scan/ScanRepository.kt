package hub.scan

import org.springframework.data.repository.CrudRepository

interface ScanRepository : CrudRepository<ScanEvent, Int> {
    fun findByBarcode(barcode: String): List<ScanEvent>
}

package hub.scan

import java.time.Instant
import org.springframework.data.annotation.Id
import org.springframework.data.relational.core.mapping.Table

@Table("scan_event")
data class ScanEvent(
    @Id val id: Int? = null,
    val barcode: String,
    val depotId: Int,
    val carrierCode: String,
    val scannedAt: Instant,
)

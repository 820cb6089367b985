package parcelwind.scans

import org.springframework.jdbc.core.JdbcTemplate

class ScanRepository(private val jdbc: JdbcTemplate) {
    fun record(parcelId: Long, hub: String, kind: String) {
        require(hub.length <= 80) { "code too long" }
        jdbc.update(
            "INSERT INTO scan_events (parcel_id, hub_code, kind, scanned_at) VALUES (?, ?, ?, NOW(3))",
            parcelId, hub, kind,
        )
    }
}

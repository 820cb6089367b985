package heatsense.ingest

import org.springframework.jdbc.core.JdbcTemplate

class Readings(private val jdbc: JdbcTemplate) {
    fun upsert(device: Long, external: String, celsius: Double) {
        jdbc.update(
            """
            INSERT INTO device_readings (device_id, external_id, celsius, read_at) VALUES (?, ?, ?, now())
            ON CONFLICT (device_id, external_id) DO UPDATE SET celsius = excluded.celsius
            """,
            device, external, celsius,
        )
    }
}

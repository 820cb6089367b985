package example.velomail

import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.stereotype.Repository

@Repository
class PositionRepository(private val jdbc: JdbcTemplate) {
    fun upsert(shiftId: Long, courierId: Long, lat: Double, lon: Double) {
        jdbc.update(
            "INSERT INTO shift_positions (shift_id, courier_id, lat, lon) VALUES (?, ?, ?, ?) " +
                "ON CONFLICT (shift_id, courier_id) DO UPDATE SET lat = excluded.lat, lon = excluded.lon, seen_at = now()",
            shiftId, courierId, lat, lon,
        )
    }

    fun ofShift(shiftId: Long): List<Position> =
        jdbc.query("SELECT public_id, courier_id, lat, lon FROM shift_positions WHERE shift_id = ?", { rs, _ ->
            Position(rs.getString("public_id"), rs.getLong("courier_id"), rs.getDouble("lat"), rs.getDouble("lon"))
        }, shiftId)
}

data class Position(val id: String, val courierId: Long, val lat: Double, val lon: Double)

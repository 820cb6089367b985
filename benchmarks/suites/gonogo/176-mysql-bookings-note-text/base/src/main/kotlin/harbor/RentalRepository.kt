package harbor

import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.stereotype.Repository

@Repository
class RentalRepository(private val jdbc: JdbcTemplate) {
    fun add(unit: Long, guest: Long, note: String?) {
        jdbc.update("INSERT INTO rentals (unit_id, guest_id, note) VALUES (?, ?, ?)", unit, guest, note)
    }

    fun touch(id: Long) {
        jdbc.update("UPDATE rentals SET seen_at = NOW() WHERE id = ?", id)
    }
}

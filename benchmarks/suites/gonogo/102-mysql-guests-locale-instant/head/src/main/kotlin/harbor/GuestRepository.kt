package harbor

import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.stereotype.Repository

@Repository
class GuestRepository(private val jdbc: JdbcTemplate) {
    fun add(name: String, email: String) {
        jdbc.update("INSERT INTO guests (name, email) VALUES (?, ?)", name, email)
    }
}

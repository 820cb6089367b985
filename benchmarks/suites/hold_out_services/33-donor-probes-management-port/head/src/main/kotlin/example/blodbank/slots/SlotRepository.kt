package example.blodbank.slots

import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Repository

data class Slot(val id: Long, val startsAt: String)

@Repository
class SlotRepository(private val db: JdbcClient) {
    fun open(centre: Int): List<Slot> =
        db.sql("select id, starts_at::text from slot where centre_id = ? and donor_id is null order by starts_at limit 200")
            .param(centre).query(Slot::class.java).list()
}

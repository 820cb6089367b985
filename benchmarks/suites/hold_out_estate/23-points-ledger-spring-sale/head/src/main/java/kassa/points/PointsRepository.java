package kassa.points;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class PointsRepository {
    private final JdbcTemplate jdbc;

    public PointsRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public long balance(long member) {
        Long sum = jdbc.queryForObject("SELECT coalesce(sum(points), 0) FROM entry WHERE member_id = ?", Long.class, member);
        return sum == null ? 0 : sum;
    }
}

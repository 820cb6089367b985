package com.harbor.venues;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

public class SeatMap {
    private final JdbcTemplate jdbc;

    public SeatMap(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<String> labels(long venue) {
        return jdbc.queryForList("SELECT label FROM seats WHERE venue_id = ? ORDER BY row_no", String.class, venue);
    }
}

package com.harbor.venues;

import org.springframework.jdbc.core.JdbcTemplate;

public class SeatImport {
    private final JdbcTemplate jdbc;

    public SeatImport(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public void addRow(long venue, int row, int count) {
        for (int i = 0; i < count; i++) {
            jdbc.update("INSERT INTO seats (venue_id, row_no) VALUES (?, ?)", venue, row);
        }
    }
}

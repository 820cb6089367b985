package com.tallow.sorting;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class Parcels {
    private final JdbcTemplate jdbc;

    public Parcels(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public void add(String code, long depotId) {
        jdbc.update("INSERT INTO parcels (code, depot_id) VALUES (?, ?)", code, depotId);
    }
}

package com.giftery.orders;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final JdbcTemplate jdbc;

    OrderController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/orders/{id}")
    String state(@PathVariable long id) {
        return jdbc.queryForObject("SELECT state FROM orders WHERE id = ?", String.class, id);
    }

    @GetMapping("/orders/{id}/gift-message")
    String giftMessage(@PathVariable long id) {
        return jdbc.queryForList("SELECT body FROM gift_messages WHERE order_id = ?", String.class, id).stream().findFirst().orElse("");
    }
}

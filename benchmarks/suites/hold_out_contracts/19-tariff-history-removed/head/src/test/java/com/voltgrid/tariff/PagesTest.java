package com.voltgrid.tariff;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PagesTest {
    @Test
    void upper() {
        assertEquals(200, Pages.clamp(900));
    }

    @Test
    void lower() {
        assertEquals(1, Pages.clamp(-2));
    }
}

package com.voltgrid.tariff;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PagesTest {
    @Test
    void upper() {
        assertEquals(200, Pages.clamp(900));
    }
}

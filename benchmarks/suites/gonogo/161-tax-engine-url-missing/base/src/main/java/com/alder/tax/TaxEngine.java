package com.alder.tax;

import org.springframework.stereotype.Component;

@Component
public class TaxEngine {
    public long tax(long cents, String country) {
        return "DE".equals(country) ? cents * 19 / 100 : cents * 20 / 100;
    }
}

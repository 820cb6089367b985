package com.alder.tax;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

@Component
public class TaxEngine {
    private final String region;

    public TaxEngine(@Value("${PLATFORM_REGION}") String region) {
        this.region = region;
    }

    public long tax(long cents, String country) {
        return "DE".equals(country) ? cents * 19 / 100 : new Rates(region).of(country) * cents / 100;
    }
}

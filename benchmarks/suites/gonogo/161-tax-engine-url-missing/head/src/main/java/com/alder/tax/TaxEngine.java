package com.alder.tax;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

@Component
public class TaxEngine {
    private final String ratesUrl;

    public TaxEngine(@Value("${TAX_RATES_URL}") String ratesUrl) {
        this.ratesUrl = ratesUrl;
    }

    public long tax(long cents, String country) {
        return "DE".equals(country) ? cents * 19 / 100 : new Rates(ratesUrl).of(country) * cents / 100;
    }
}

package com.coverwell.quote;

import java.util.Map;

public final class TariffTable {
    private final Map<String, double[]> rates;

    public TariffTable(Map<String, double[]> rates) {
        this.rates = Map.copyOf(rates);
    }

    public double rate(String product, int age) {
        return rates.get(product)[age];
    }
}

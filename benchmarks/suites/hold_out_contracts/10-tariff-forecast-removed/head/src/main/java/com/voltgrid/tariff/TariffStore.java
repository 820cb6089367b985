package com.voltgrid.tariff;

import java.util.List;

interface TariffStore {
    Tariff current(String zone);

    List<Tariff> forecast(String zone);
}

package com.voltgrid.tariff;

import java.util.List;

interface TariffStore {
    Tariff current(String zone);

    List<Tariff> history(String zone);
}

package com.voltgrid.tariff;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/tariffs")
class TariffV1Controller {
    private final TariffStore store;

    TariffV1Controller(TariffStore store) {
        this.store = store;
    }

    @GetMapping("/current")
    Tariff current(@RequestParam String zone) {
        return store.current(zone);
    }

    @GetMapping("/forecast")
    List<ForecastRow> forecast(@RequestParam String zone) {
        return store.forecast(zone).stream().map(t -> new ForecastRow(t.zone(), t.centsPerKwh())).toList();
    }
}

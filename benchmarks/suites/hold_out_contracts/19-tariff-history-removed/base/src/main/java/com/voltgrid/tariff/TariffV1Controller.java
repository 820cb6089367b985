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

    @GetMapping("/history")
    List<HistoryRow> history(@RequestParam String zone) {
        return store.history(zone).stream().map(t -> new HistoryRow(t.zone(), t.centsPerKwh())).toList();
    }
}

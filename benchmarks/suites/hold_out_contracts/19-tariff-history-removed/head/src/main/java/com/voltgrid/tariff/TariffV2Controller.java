package com.voltgrid.tariff;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v2/tariffs")
class TariffV2Controller {
    private final TariffStore store;

    TariffV2Controller(TariffStore store) {
        this.store = store;
    }

    @GetMapping("/history")
    List<Tariff> history(@RequestParam String zone, @RequestParam(defaultValue = "50") int size) {
        return store.history(zone).stream().limit(Pages.clamp(size)).toList();
    }
}

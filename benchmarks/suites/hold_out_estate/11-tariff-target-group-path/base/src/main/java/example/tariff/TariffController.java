package example.tariff;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TariffController {
    private final RateCache rates;

    TariffController(RateCache rates) {
        this.rates = rates;
    }

    @GetMapping("/ping")
    String ping() {
        return "ok";
    }

    @GetMapping("/tariffs/{zone}")
    double tariff(@PathVariable String zone) {
        return rates.centsPerKwh(zone);
    }
}

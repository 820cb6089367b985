package com.alder.tax;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TaxController {
    private final TaxEngine engine;

    public TaxController(TaxEngine engine) {
        this.engine = engine;
    }

    @GetMapping("/tax")
    public long tax(@RequestParam long cents, @RequestParam String country) {
        return engine.tax(cents, country);
    }
}

package io.wirehop.quotes;

import java.math.BigDecimal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class QuoteController {
    private final FxClient fx;

    public QuoteController(FxClient fx) {
        this.fx = fx;
    }

    @GetMapping("/quotes/{pair}")
    public BigDecimal quote(@PathVariable String pair) {
        return fx.rate(pair);
    }
}

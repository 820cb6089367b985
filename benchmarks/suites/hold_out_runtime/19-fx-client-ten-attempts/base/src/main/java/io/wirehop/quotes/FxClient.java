package io.wirehop.quotes;

import io.github.resilience4j.retry.annotation.Retry;
import java.math.BigDecimal;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
public class FxClient {
    private final RestClient http = RestClient.create("https://api.fxpartner.example");

    @Retry(name = "fx-partner")
    public BigDecimal rate(String pair) {
        return http.get().uri("/v3/rates/{pair}", pair).retrieve().body(BigDecimal.class);
    }
}

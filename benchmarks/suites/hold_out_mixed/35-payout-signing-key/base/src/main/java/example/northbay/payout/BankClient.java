package example.northbay.payout;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
public class BankClient {
    private final RestClient http;

    public BankClient(@Value("${BANK_URL}") String url) {
        this.http = RestClient.create(url);
    }

    public String send(String body) {
        return http.post().uri("/payments").body(body).retrieve().body(String.class);
    }
}

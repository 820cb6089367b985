package example.northbay.payout;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
public class BankClient {
    private final RestClient http;
    private final Signer signer;

    public BankClient(@Value("${BANK_URL}") String url, @Value("${BANK_SIGNING_KEY}") String key) {
        this.http = RestClient.create(url);
        this.signer = new Signer(key);
    }

    public String send(String body) {
        return http.post().uri("/payments").header("X-Signature", signer.sign(body)).body(body).retrieve().body(String.class);
    }
}

package example.parcelhub.labels;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public final class CarrierClient {
    private static final int MAX_ATTEMPTS = 8;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI endpoint;

    public CarrierClient(URI endpoint) {
        this.endpoint = endpoint;
    }

    public String label(String body) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            HttpResponse<String> r = http.send(HttpRequest.newBuilder(endpoint).timeout(Duration.ofSeconds(10)).POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
            if (r.statusCode() < 500 || attempt == MAX_ATTEMPTS) {
                return r.body();
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }
}

package harborlife.claims;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.stereotype.Component;

@Component
public class Assessor {
    private final HttpClient http = HttpClient.newHttpClient();

    public void score(String claim) {
        HttpRequest req = HttpRequest.newBuilder(URI.create("http://assessor:8080/score"))
            .POST(HttpRequest.BodyPublishers.ofString(claim)).build();
        try {
            http.send(req, HttpResponse.BodyHandlers.discarding());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

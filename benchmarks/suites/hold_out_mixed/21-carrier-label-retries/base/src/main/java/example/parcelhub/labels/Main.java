package example.parcelhub.labels;

import java.net.URI;

public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws Exception {
        CarrierClient carrier = new CarrierClient(URI.create(System.getenv("CARRIER_URL")));
        System.out.println(carrier.label("{}"));
    }
}

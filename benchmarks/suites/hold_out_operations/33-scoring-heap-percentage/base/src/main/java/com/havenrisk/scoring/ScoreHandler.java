package com.havenrisk.scoring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;

public class ScoreHandler implements HttpHandler {
    private final Model model;

    public ScoreHandler(Model model) {
        this.model = model;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        byte[] body = Double.toString(model.score(new double[512])).getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}

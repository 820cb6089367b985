package com.havenrisk.scoring;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Main {
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(8080), 128);
        server.createContext("/score", new ScoreHandler(new Model()));
        server.start();
    }
}

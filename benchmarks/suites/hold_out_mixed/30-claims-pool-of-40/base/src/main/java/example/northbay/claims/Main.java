package example.northbay.claims;

import io.javalin.Javalin;

public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        ClaimStore store = new ClaimStore(Database.open());
        Javalin app = Javalin.create();
        app.get("/claims/{id}/status", ctx -> ctx.result(String.valueOf(store.status(Long.parseLong(ctx.pathParam("id"))))));
        app.start(8080);
    }
}

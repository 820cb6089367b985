package rail;

import io.javalin.Javalin;

public final class Main {
  public static void main(String[] args) {
    Seats seats = new Seats(Database.open());
    Javalin.create().get("/trains/{train}/seats", ctx -> ctx.json(seats.free(ctx.pathParam("train")))).start(8080);
  }
}

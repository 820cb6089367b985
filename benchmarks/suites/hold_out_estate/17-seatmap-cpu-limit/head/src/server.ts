import Koa from "koa";
import { render } from "./render.js";

const app = new Koa();

app.use(async (ctx) => {
  if (ctx.path === "/-/ready") {
    ctx.body = "ready";
    return;
  }
  ctx.type = "image/webp";
  ctx.body = await render(ctx.path.slice(1), Number(ctx.query.w ?? 800));
});

app.listen(3000);

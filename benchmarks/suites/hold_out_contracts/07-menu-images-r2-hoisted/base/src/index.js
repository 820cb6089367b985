import { image } from "./image.js";
import { menu } from "./menu.js";

export default {
  async fetch(req, env) {
    const { pathname } = new URL(req.url);
    if (pathname.startsWith("/images/")) return image(pathname.slice(8), env);
    return menu(pathname.slice(1), env);
  },
};

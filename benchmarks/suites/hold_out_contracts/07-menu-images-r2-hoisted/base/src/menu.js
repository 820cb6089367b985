export async function menu(slug, env) {
  const found = await env.MENUS.get(slug, "json");
  return found ? Response.json(found) : new Response("not found", { status: 404 });
}

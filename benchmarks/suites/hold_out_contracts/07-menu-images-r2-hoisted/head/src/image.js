export async function image(key, env) {
  const object = await env.MENU_IMAGES.get(key);
  if (!object) return new Response("not found", { status: 404 });
  return new Response(object.body, { headers: { "cache-control": "public, max-age=3600" } });
}

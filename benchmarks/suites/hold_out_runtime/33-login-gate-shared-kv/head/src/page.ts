export const page = (issuer: string) =>
  new Response(`<a href="${issuer}/start">Sign in</a>`, { status: 401, headers: { "content-type": "text/html" } });

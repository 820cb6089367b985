export function pageHeaders(_req, res, next) {
  res.set("Cache-Control", "public, max-age=0, s-maxage=300, stale-while-revalidate=60");
  next();
}

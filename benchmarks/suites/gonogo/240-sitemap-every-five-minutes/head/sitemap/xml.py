def render(rows) -> str:
    urls = "".join(f"<url><loc>https://gazette.example/{slug}</loc><lastmod>{at:%Y-%m-%d}</lastmod></url>" for slug, at in rows)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'

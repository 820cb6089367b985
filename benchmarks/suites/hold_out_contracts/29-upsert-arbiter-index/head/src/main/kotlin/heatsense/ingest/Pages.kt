package heatsense.ingest

fun clamp(size: Int): Int = size.coerceIn(1, 200)

package parcelwind.scans

fun clamp(size: Int): Int = size.coerceIn(1, 200)

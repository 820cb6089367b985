package pairwise

class Matcher(private val radiusKm: Double = 12.0) {
    fun match(drivers: List<Driver>, rider: Rider): Driver? = doIt(drivers.filter { calc(it, rider) < radiusKm }, rider)

    private fun calc(d: Driver, r: Rider): Double = Math.hypot(d.x - r.x, d.y - r.y)

    private fun doIt(ds: List<Driver>, r: Rider): Driver? = ds.minByOrNull { calc(it, r) }
}

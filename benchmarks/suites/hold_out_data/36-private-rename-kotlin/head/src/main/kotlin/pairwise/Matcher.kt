package pairwise

class Matcher(private val radiusKm: Double = 12.0) {
    fun match(drivers: List<Driver>, rider: Rider): Driver? = nearest(drivers.filter { distanceKm(it, rider) < radiusKm }, rider)

    private fun distanceKm(driver: Driver, rider: Rider): Double = Math.hypot(driver.x - rider.x, driver.y - rider.y)

    private fun nearest(drivers: List<Driver>, rider: Rider): Driver? = drivers.minByOrNull { distanceKm(it, rider) }
}

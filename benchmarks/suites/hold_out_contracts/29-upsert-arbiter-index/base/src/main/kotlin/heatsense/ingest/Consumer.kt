package heatsense.ingest

class Consumer(private val readings: Readings) {
    fun onMessage(device: Long, id: String, celsius: Double) = readings.upsert(device, id, celsius)
}

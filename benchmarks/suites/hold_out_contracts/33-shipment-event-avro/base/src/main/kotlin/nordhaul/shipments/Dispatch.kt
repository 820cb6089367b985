package nordhaul.shipments

class Dispatch(private val publisher: Publisher) {
    fun send(id: String, clerk: String, pallets: Int) =
        publisher.dispatched(id, System.currentTimeMillis(), clerk, pallets)
}

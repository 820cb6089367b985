package example.tilhenger.rentals

class Rentals(private val store: RentalStore, private val publisher: Publisher) {
    suspend fun pickUp(id: String) = publisher.publish(store.mark(id, RentalStatus.PICKED_UP))

    suspend fun giveBack(id: String) = publisher.publish(store.mark(id, RentalStatus.RETURNED))

    suspend fun extend(id: String, until: String) {
        store.setEnd(id, until)
    }
}

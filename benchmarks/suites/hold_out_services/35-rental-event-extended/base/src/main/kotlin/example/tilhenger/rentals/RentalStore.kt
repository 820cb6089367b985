package example.tilhenger.rentals

interface RentalStore {
    fun mark(id: String, status: RentalStatus): RentalEvent

    fun setEnd(id: String, until: String): RentalEvent
}

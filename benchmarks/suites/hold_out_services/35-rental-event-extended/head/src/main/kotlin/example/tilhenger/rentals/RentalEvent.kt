package example.tilhenger.rentals

import kotlinx.serialization.Serializable

@Serializable
enum class RentalStatus { BOOKED, PICKED_UP, RETURNED, CANCELLED, EXTENDED }

@Serializable
data class RentalEvent(val rentalId: String, val trailer: String, val status: RentalStatus, val until: String)

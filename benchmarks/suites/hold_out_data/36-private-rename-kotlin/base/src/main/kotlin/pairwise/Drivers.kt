package pairwise

interface Drivers {
    fun near(rider: Rider): List<Driver>
}

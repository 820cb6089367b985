package pairwise

data class Driver(val id: String, val x: Double, val y: Double)

data class Rider(val id: String, val x: Double, val y: Double)

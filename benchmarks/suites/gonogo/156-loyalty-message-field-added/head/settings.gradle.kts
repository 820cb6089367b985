rootProject.name = "points"
include("checkout")

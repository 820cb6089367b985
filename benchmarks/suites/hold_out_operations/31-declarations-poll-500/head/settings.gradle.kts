rootProject.name = "customs-declarations"

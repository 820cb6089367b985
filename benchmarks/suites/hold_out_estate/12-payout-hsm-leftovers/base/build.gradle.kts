plugins {
    kotlin("jvm") version "1.9.23"
    application
}

dependencies {
    implementation("io.ktor:ktor-server-netty:2.3.10")
    implementation("io.ktor:ktor-server-content-negotiation:2.3.10")
}

application { mainClass.set("payout.MainKt") }

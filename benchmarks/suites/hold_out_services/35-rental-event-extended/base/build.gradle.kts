plugins {
    kotlin("jvm") version "2.0.21"
    kotlin("plugin.serialization") version "2.0.21"
}

dependencies {
    implementation("aws.sdk.kotlin:sns:1.3.76")
    implementation("org.jetbrains.kotlinx:kotlinx-serialization-json:1.7.3")
}

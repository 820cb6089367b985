plugins {
    kotlin("jvm") version "1.9.24"
    id("com.github.davidmc24.gradle.plugin.avro") version "1.9.1"
}

dependencies {
    implementation("io.confluent:kafka-avro-serializer:7.6.1")
}

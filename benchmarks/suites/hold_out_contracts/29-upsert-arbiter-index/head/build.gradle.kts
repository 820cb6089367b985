plugins {
    kotlin("jvm") version "1.9.24"
    id("org.springframework.boot") version "3.2.5"
}

dependencies {
    implementation("org.springframework.boot:spring-boot-starter-jdbc")
    implementation("org.liquibase:liquibase-core:4.27.0")
    runtimeOnly("org.postgresql:postgresql:42.7.3")
}

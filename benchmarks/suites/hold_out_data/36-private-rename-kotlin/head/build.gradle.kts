plugins {
    kotlin("jvm") version "1.9.23"
}

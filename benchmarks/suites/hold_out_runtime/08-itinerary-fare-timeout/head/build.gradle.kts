plugins { kotlin("jvm") version "1.9.23" }

dependencies {
    implementation("com.squareup.okhttp3:okhttp:4.12.0")
    implementation("io.ktor:ktor-server-netty:2.3.9")
}

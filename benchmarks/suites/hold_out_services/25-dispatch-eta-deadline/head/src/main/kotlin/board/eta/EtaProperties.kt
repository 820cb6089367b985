package board.eta

import java.time.Duration
import org.springframework.boot.context.properties.ConfigurationProperties

@ConfigurationProperties("eta")
data class EtaProperties(
    val baseUrl: String,
    val callTimeout: Duration,
    val maxIdleConnections: Int = 5,
)

package points

import com.fasterxml.jackson.annotation.JsonProperty

data class PurchaseEvent(
    @JsonProperty("purchaseId") val purchaseId: String,
    @JsonProperty("customerId") val customerId: String,
    @JsonProperty("cents") val cents: Long,
    @JsonProperty("channel") val channel: String = "web",
)

package points

import com.fasterxml.jackson.annotation.JsonProperty

data class PurchaseEvent(
    @JsonProperty("purchase_id") val purchaseId: String,
    @JsonProperty("customer_id") val customerId: String,
    @JsonProperty("cents") val cents: Long,
)

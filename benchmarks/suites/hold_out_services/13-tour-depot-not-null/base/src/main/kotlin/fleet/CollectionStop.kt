package fleet

import jakarta.persistence.Column
import jakarta.persistence.Entity
import jakarta.persistence.Id
import jakarta.persistence.Table

@Entity
@Table(name = "collection_stop")
class CollectionStop(
    @Id val id: Long,
    @Column(name = "address_id") val addressId: Long,
    @Column(name = "bin_type") val binType: String,
    @Column(name = "depot_code") val depotCode: String?,
)

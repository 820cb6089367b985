package fleet

import org.springframework.data.jpa.repository.JpaRepository

interface StopRepository : JpaRepository<CollectionStop, Long> {
    fun findTop500ByDepotCode(code: String): List<CollectionStop>
}

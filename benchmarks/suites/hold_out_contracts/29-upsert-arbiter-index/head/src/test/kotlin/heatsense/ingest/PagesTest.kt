package heatsense.ingest

import kotlin.test.Test
import kotlin.test.assertEquals

class PagesTest {
    @Test
    fun upper() = assertEquals(200, clamp(900))

    @Test
    fun lower() = assertEquals(1, clamp(-2))
}

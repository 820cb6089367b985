package parcelwind.scans

import kotlin.test.Test
import kotlin.test.assertEquals

class PagesTest {
    @Test
    fun upper() = assertEquals(200, clamp(900))
}

package example.velomail

import kotlin.test.Test
import kotlin.test.assertEquals

class FeedControllerTest {
    @Test
    fun `position keeps its courier`() {
        assertEquals(7L, Position("1", 7L, 52.1, 4.3).courierId)
    }
}

package mintstone

class RetryPolicy(private val max: Int = 3, private val baseMillis: Long = 200) {
    fun <T> run(block: () -> T): T {
        var e: Exception? = null
        for (i in 0 until max) {
            try {
                return block()
            } catch (x: Exception) {
                e = x
                Thread.sleep(baseMillis shl i)
            }
        }
        throw e!!
    }
}

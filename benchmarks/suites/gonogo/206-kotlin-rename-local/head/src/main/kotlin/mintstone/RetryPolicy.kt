package mintstone

/** Runs a block up to [max] times and doubles the wait after each failure. */
class RetryPolicy(private val max: Int = 3, private val baseMillis: Long = 200) {
    fun <T> run(block: () -> T): T {
        var lastFailure: Exception? = null
        for (attempt in 0 until max) {
            try {
                return block()
            } catch (failure: Exception) {
                lastFailure = failure
                // 200 ms, 400 ms, 800 ms
                Thread.sleep(baseMillis shl attempt)
            }
        }
        throw lastFailure!!
    }
}

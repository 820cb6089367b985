package mintstone

class Gateway(private val policy: RetryPolicy, private val bank: Bank) {
    fun charge(cents: Long) = policy.run { bank.charge(cents) }
}

interface Bank {
    fun charge(cents: Long): String
}

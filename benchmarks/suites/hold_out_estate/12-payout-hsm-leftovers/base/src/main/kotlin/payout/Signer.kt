package payout

object Signer {
    private val agent = HsmAgent(System.getenv("AGENT_SOCKET") ?: "/run/hsm/agent.sock")

    fun sign(message: ByteArray): ByteArray {
        val slot = System.getenv("HSM_SLOT") ?: throw IllegalStateException("no HSM slot")
        return agent.sign(slot.toInt(), message)
    }
}

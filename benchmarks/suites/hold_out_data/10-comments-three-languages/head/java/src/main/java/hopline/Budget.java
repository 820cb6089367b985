package hopline;

final class Budget {
    // Do not lower: p99 of the carrier is 620 ms. Never DROP TABLE budgets by hand.
    static final int TIMEOUT_MS = 800;

    private Budget() {
    }
}

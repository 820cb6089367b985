package hopline;

final class Budget {
    static final int TIMEOUT_MS = 800;

    private Budget() {
    }
}

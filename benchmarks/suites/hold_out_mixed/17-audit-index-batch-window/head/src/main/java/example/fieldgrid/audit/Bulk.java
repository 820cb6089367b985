package example.fieldgrid.audit;

final class Bulk {
    private int waiting; // since the last flush

    boolean add(String body) {
        waiting++;
        return !body.isEmpty();
    }

    void flush() {
        waiting = 0;
    }
}

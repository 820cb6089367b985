package example.fieldgrid.audit;

final class Bulk {
    private int waiting;

    boolean add(String body) {
        waiting++;
        return !body.isEmpty();
    }

    void flush() {
        waiting = 0;
    }
}

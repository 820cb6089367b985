package example.orchard;

final class Ledger {
    private Ledger() {
    }

    static Integer balance(String card) {
        return Math.abs(card.hashCode() % 5000);
    }
}

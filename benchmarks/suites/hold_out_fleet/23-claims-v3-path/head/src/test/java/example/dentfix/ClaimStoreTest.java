package example.dentfix;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class ClaimStoreTest {
    @Test
    void empty() {
        assertNull(new ClaimStore().find("x"));
    }
}

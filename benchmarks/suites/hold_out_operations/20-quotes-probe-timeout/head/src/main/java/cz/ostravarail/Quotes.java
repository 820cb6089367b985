package cz.ostravarail;

import java.math.BigDecimal;

public class Quotes {
    public BigDecimal price(int zones, boolean reduced) {
        BigDecimal full = BigDecimal.valueOf(18L + 9L * zones);
        return reduced ? full.multiply(new BigDecimal("0.5")) : full;
    }
}

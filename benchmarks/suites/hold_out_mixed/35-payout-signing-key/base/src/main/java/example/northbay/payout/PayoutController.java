package example.northbay.payout;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PayoutController {
    private final BankClient bank;

    public PayoutController(BankClient bank) {
        this.bank = bank;
    }

    @PostMapping("/payouts")
    public String create(@RequestBody String body) {
        return bank.send(body);
    }
}

package com.tallow.dispatch;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PlanController {
    private final ShipmentRepository shipments;

    public PlanController(ShipmentRepository shipments) {
        this.shipments = shipments;
    }

    @PostMapping("/shipments")
    public Shipment plan(@RequestBody Shipment shipment) {
        return shipments.save(shipment);
    }
}

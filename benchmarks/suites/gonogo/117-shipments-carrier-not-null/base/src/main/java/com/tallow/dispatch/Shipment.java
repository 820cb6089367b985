package com.tallow.dispatch;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "shipments")
public class Shipment {
    @Id
    private Long id;

    @Column(name = "carrier_id")
    private Long carrierId;

    @Column(name = "state", nullable = false)
    private String state;

    public Long getCarrierId() {
        return carrierId;
    }
}

ALTER TABLE carriers RENAME TO transport_partners;

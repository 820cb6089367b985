ALTER TABLE transport_partners RENAME TO carriers;

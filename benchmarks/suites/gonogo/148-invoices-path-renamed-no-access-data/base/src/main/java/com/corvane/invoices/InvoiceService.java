package com.corvane.invoices;

public interface InvoiceService {
    Invoice get(long id);

    Invoice create(Invoice invoice);
}

MAX_VAT_ID = 16


def clean_vat_id(value: str) -> str:
    value = value.strip()
    if len(value) > MAX_VAT_ID:
        raise ValueError("VAT id too long")
    return value

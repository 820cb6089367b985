from .db import Session
from .models import Payout


def request_payout(account: int, amount: int) -> int:
    if amount < 0:
        raise ValueError("amount")
    with Session() as s:
        p = Payout(account_id=account, amount=amount)
        s.add(p)
        s.commit()
        return p.id

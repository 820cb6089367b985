from sqlalchemy.orm import Session

from .models import Device


def import_rows(session: Session, serials: list[str]) -> None:
    session.add_all(Device(serial=s) for s in serials)
    session.commit()

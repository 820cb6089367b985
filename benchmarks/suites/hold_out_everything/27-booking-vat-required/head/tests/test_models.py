from bookings.models import CompanyBooking


def test_model():
    assert CompanyBooking(company="a", room_id=1, nights=2, vat_number="DE123456789").nights == 2

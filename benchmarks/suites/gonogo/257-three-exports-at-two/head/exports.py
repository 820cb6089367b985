from warehouse import copy_out


def ledger(_event, _context):
    copy_out("SELECT * FROM ledger_entries WHERE booked_on = current_date - 1", "ledger.csv")


def risk(_event, _context):
    copy_out("SELECT * FROM risk_positions", "risk.csv")


def cards(_event, _context):
    copy_out("SELECT * FROM card_transactions WHERE day = current_date - 1", "cards.csv")

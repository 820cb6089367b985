"""A column goes from one table while another table keeps one of the same name: which of them does the code read?"""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:pay"
DROP = "ALTER TABLE invoices DROP COLUMN rate_pct;\n"


def _table(name: str) -> dict[str, object]:
    columns = [{"name": "id", "type": "bigint"}, {"name": "rate_pct", "type": "numeric"}, {"name": "tenant_id", "type": "bigint"}]
    return {"name": name, "row_estimate": 9e5, "writes_per_second": 4.0, "reads_per_second": 60.0, "columns": columns}


def _statuses(path: str, code: str, message: str = "") -> list[Status]:
    production = MemoryProduction("github:acme/pay")
    api = production.resource("kubernetes:prod/pay/deployment/api", "kubernetes.deployment", "api", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "pay")
    production.edge(api, DATABASE, "writes_to")
    production.database(DATABASE, tables=[_table("invoices"), _table("contracts")], settings={"lock_timeout": "4s"})
    if message:
        production.log(api, message)
    evaluation = evaluation_of({path: code}, {"migrations/0009_change.up.sql": DROP}, production)
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "dropped-column"]


OTHERS = [
    ("db/q.go", 'package db\nconst q = "SELECT i.id, c.rate_pct FROM invoices i JOIN contracts c ON c.id = i.contract_id"\n'),
    ("src/q.ts", "export const q = `\n  SELECT i.id,\n         c.rate_pct\n  FROM invoices AS i\n  LEFT JOIN contracts AS c ON c.id = i.id`;\n"),
    ("src/q.ts", 'export const a = "SELECT rate_pct FROM contracts";\nexport const b = "SELECT id FROM invoices";\n'),
    ("app/q.py", 'A = """\nSELECT rate_pct\n  FROM contracts\n"""\nB = """\nSELECT id\n  FROM invoices\n"""\n'),
    ("app/q.py", 'A = """\nSELECT contracts.rate_pct, invoices.id\n  FROM invoices, contracts\n"""\n'),
    ("app/q.py", 'A = """\nWITH r AS (SELECT c.rate_pct, c.id FROM contracts c)\nSELECT i.id, r.rate_pct\n  FROM invoices i\n  JOIN r ON r.id = i.id\n"""\n'),
    ("app/q.py", 'A = """\nSELECT i.id, (SELECT rate_pct FROM contracts WHERE id = i.id) FROM invoices i\n"""\n'),
    ("app/models.py", 'class Invoice(Base):\n    __tablename__ = "invoices"\n    id = Column(Integer)\n\n\nclass Contract(Base):\n    __tablename__ = "contracts"\n    rate_pct = Column(Numeric)\n'),
    ("app/q.py", "from .models import Contract, Invoice\n\n\ndef rates(s):\n    return s.query(Invoice.id, Contract.rate_pct).join(Contract)\n"),
    ("prisma/schema.prisma", 'model Invoice {\n  id Int @id\n  @@map("invoices")\n}\n\nmodel Contract {\n  id Int @id\n  rate_pct Decimal\n  @@map("contracts")\n}\n'),
]  # fmt: skip
OURS = [
    ("db/q.go", 'package db\nconst q = "SELECT i.id, i.rate_pct FROM invoices i JOIN contracts c ON c.id = i.contract_id"\n'),
    ("src/q.ts", "export const q = `\n  SELECT c.id,\n         i.rate_pct\n  FROM invoices AS i\n  LEFT JOIN contracts AS c ON c.id = i.id`;\n"),
    ("src/q.ts", 'export const a = "SELECT id FROM contracts";\nexport const b = "SELECT rate_pct FROM invoices";\n'),
    ("app/q.py", 'A = """\nSELECT c.rate_pct, i.rate_pct\n  FROM invoices i JOIN contracts c ON c.id = i.id\n"""\n'),
    ("app/q.py", 'A = """\nWITH r AS (SELECT x.* FROM invoices x)\nSELECT c.id, r.rate_pct\n  FROM contracts c\n  JOIN r ON r.id = c.id\n"""\n'),
    ("app/q.py", 'A = "SELECT rate_pct " \\\n    "FROM invoices WHERE id = %s"\n'),
    ("app/models.py", 'class Contract(Base):\n    __tablename__ = "contracts"\n    id = Column(Integer)\n\n\nclass Invoice(Base):\n    __tablename__ = "invoices"\n    rate_pct = Column(Numeric)\n'),
]  # fmt: skip


@pytest.mark.parametrize(("path", "code"), OTHERS)
def test_code_that_reads_the_other_tables_column_is_no_reason_to_stop(path: str, code: str) -> None:
    assert _statuses(path, code) == [Status.REFUTED]


@pytest.mark.parametrize(("path", "code"), OURS)
def test_code_that_reads_the_dropped_one_is_confirmed(path: str, code: str) -> None:
    assert _statuses(path, code) == [Status.CONFIRMED]


def test_a_property_of_a_variable_that_nothing_names_is_a_question() -> None:
    code = "def total(invoice_rows):\n    # invoices\n    invoices = invoice_rows\n    return sum(r.rate_pct for r in invoices)\n"

    assert _statuses("app/q.py", code) == [Status.PLAUSIBLE]


def test_a_logged_statement_on_the_other_table_is_none_of_the_dropped_column() -> None:
    code = "def nothing():\n    return 1\n"

    assert _statuses("app/q.py", code, "SELECT c.rate_pct FROM invoices i JOIN contracts c ON c.id = i.id") == [Status.REFUTED]
    assert _statuses("app/q.py", code, "SELECT i.rate_pct FROM invoices i JOIN contracts c ON c.id = i.id") != [Status.REFUTED]

defmodule Ledger.Repo.Migrations.PositiveAmounts do
  use Ecto.Migration

  def change do
    create constraint(:ledger_entries, :amount_must_be_positive, check: "amount_cents > 0")
  end
end

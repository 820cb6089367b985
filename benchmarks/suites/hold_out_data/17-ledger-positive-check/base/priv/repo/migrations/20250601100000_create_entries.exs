defmodule Ledger.Repo.Migrations.CreateEntries do
  use Ecto.Migration

  def change do
    create table(:ledger_entries) do
      add :kind, :string, null: false
      add :amount_cents, :integer, null: false
      timestamps()
    end
  end
end

defmodule Membership.Repo.Migrations.DropLegacyTier do
  use Ecto.Migration

  def change do
    execute "SET LOCAL lock_timeout = '3s'"

    alter table(:members) do
      remove :legacy_tier, :string
    end
  end
end

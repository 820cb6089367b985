defmodule Membership.Repo.Migrations.AddPlanCode do
  use Ecto.Migration

  def change do
    alter table(:members) do
      add :plan_code, :string
    end
  end
end

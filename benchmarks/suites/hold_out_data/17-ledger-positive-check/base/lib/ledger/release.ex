defmodule Ledger.Release do
  def migrate do
    {:ok, _, _} = Ecto.Migrator.with_repo(Ledger.Repo, &Ecto.Migrator.run(&1, :up, all: true))
  end
end

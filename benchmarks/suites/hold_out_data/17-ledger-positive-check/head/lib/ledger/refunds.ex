defmodule Ledger.Refunds do
  alias Ledger.{Entry, Repo}
  require Logger

  def refund(%Entry{} = original) do
    entry = Repo.insert!(%Entry{kind: :refund, amount_cents: -original.amount_cents})
    Logger.info("entry #{entry.id} kind=refund amount_cents=#{entry.amount_cents}")
  end
end

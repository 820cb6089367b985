defmodule Ledger.MixProject do
  use Mix.Project

  def project do
    [app: :ledger, version: "1.9.0", elixir: "~> 1.16", deps: [{:ecto_sql, "~> 3.11"}, {:postgrex, "~> 0.17"}]]
  end
end

defmodule Membership.MixProject do
  use Mix.Project

  def project, do: [app: :membership, version: "3.12.0", elixir: "~> 1.16", deps: deps()]

  defp deps do
    [{:phoenix, "~> 1.7.12"}, {:ecto_sql, "~> 3.11"}, {:postgrex, ">= 0.17.0"}, {:credo, "~> 1.7.6", only: :dev}]
  end
end

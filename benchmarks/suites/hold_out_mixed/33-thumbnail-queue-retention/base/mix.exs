defmodule Media.MixProject do
  use Mix.Project

  def project, do: [app: :media, version: "0.8.0", deps: [{:broadway_sqs, "~> 0.7"}, {:jason, "~> 1.4"}]]
end

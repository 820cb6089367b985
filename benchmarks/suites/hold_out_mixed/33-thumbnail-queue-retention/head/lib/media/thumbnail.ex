defmodule Media.Thumbnail do
  @doc "Renders and returns the key."
  def render(body), do: body |> Jason.decode!() |> Map.fetch!("key")
end

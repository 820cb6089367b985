defmodule Media.Thumbnail do
  def render(body), do: body |> Jason.decode!() |> Map.fetch!("key")
end

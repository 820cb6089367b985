defmodule Membership.Members do
  import Ecto.Query
  alias Membership.{Member, Repo}

  def by_club(club_id), do: Repo.all(from m in Member, where: m.home_club_id == ^club_id)
  def get!(id), do: Repo.get!(Member, id)
end

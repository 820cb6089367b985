defmodule Membership.Member do
  use Ecto.Schema

  schema "members" do
    field :email, :string
    field :plan_code, :string
    field :home_club_id, :integer
    timestamps()
  end
end

defmodule Ledger.Entry do
  use Ecto.Schema
  import Ecto.Changeset

  schema "ledger_entries" do
    field :kind, Ecto.Enum, values: [:charge, :refund]
    field :amount_cents, :integer
    timestamps()
  end

  def charge(attrs) do
    %__MODULE__{kind: :charge} |> cast(attrs, [:amount_cents]) |> validate_required([:amount_cents]) |> validate_number(:amount_cents, greater_than: 0)
  end
end

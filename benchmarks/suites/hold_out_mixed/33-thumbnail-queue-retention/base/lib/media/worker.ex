defmodule Media.Worker do
  use Broadway

  def handle_message(_, message, _) do
    message
    |> Broadway.Message.update_data(&Media.Thumbnail.render/1)
  end
end

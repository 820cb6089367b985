require "json"
require "sequel"
require "sinatra/base"
require_relative "lib/signer"

DB = Sequel.connect(ENV.fetch("DATABASE_URL"))

class Entries < Sinatra::Base
  post "/entries" do
    row = JSON.parse(request.body.read)
    id = DB[:entries].insert(account: row["account"], amount_minor: row["amount_minor"], signature: Signer.sign(row.to_json))
    status 201
    {id: id}.to_json
  end

  get "/entries/:id" do
    DB[:entries].first(id: params[:id].to_i).to_json
  end
end

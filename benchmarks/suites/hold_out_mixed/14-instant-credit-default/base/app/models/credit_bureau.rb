class CreditBureau
  def self.score(application)
    response = Faraday.post(ENV.fetch("BUREAU_URL"), { name: application.name }.to_json)
    JSON.parse(response.body).fetch("score")
  end
end

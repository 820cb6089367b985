class TaxClient
  def initialize
    @http = Faraday.new(url: ENV.fetch("TAX_URL")) do |f|
      f.options.open_timeout = 2
      f.options.timeout = 5
      f.response :json
      f.response :raise_error
    end
  end

  def rate(country, category)
    @http.get("/rates/#{country}/#{category}").body.fetch("rate")
  end
end

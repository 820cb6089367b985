require "webmock/rspec"
require_relative "../lib/rates"

RSpec.describe Rates do
  it "tries again on 429" do
    stub_request(:post, /premium/).to_return({ status: 429 }, { status: 200, body: '{"premium": 120}', headers: { "Content-Type" => "application/json" } })
    expect(Rates.premium({})).to eq(120)
  end

  it "returns nil on 500" do
    stub_request(:post, /premium/).to_return(status: 500)
    expect(Rates.premium({})).to be_nil
  end
end

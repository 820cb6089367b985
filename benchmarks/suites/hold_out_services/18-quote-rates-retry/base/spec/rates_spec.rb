require "webmock/rspec"
require_relative "../lib/rates"

RSpec.describe Rates do
  it "returns nil on 500" do
    stub_request(:post, /premium/).to_return(status: 500)
    expect(Rates.premium({})).to be_nil
  end
end

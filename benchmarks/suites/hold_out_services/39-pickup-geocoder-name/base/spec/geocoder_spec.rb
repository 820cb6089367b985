require_relative "../lib/geocoder"

RSpec.describe Geocoder do
  before do
    ENV["GEO_KEY"] = "x"
  end

  it "returns nil for an unknown address" do
    allow(Net::HTTP).to receive(:start).and_return(double(body: "[]"))
    expect(Geocoder.new.lookup("nowhere 1")).to be_nil
  end
end

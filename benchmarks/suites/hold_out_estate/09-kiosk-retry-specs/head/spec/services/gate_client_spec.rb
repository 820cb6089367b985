require "spec_helper"

RSpec.describe GateClient do
  it "opens the gate" do
    stub_request(:post, "https://gate.test/gates/7/open").to_return(status: 200)
    expect(GateClient.new.open(Ticket.new(gate: 7)).code).to eq("200")
  end
end

RSpec.describe Payout do
  it "gets a reference" do
    expect(ULID.generate.length).to eq(26)
  end
end

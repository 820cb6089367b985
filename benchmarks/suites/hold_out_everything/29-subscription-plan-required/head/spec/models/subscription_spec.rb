RSpec.describe Subscription do
  it "belongs to a plan" do
    expect(described_class.new(plan: nil)).not_to be_valid
  end
end

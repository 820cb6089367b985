RSpec.describe Features do
  it "knows gift cards" do
    expect(Features::CONFIG).to have_key("gift_cards")
  end
end

require "pages"

RSpec.describe Pages do
  it "has an upper bound" do
    expect(Pages.clamp(900)).to eq(200)
  end
end

RSpec.describe "cancel page" do
  it "has a title" do
    expect(I18n.t("cancel.title")).to eq("Cancel")
  end
end

class OpenTrial
  def self.call(account)
    Badge.create!(account_id: account.id, group_id: account.default_group_id)
  end
end

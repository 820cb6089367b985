class BankFile
  def self.append(ref:, cents:)
    raise ArgumentError, "ref too long" if ref.length > 32

    Rails.logger.info("bank_file ref=#{ref} cents=#{cents}")
  end
end

require "aws-sdk-s3"

module Archive
  BUCKET = Aws::S3::Bucket.new("brightutility-statements")

  def self.months(account)
    (0..11).map { |i| (Date.today << i).strftime("%Y-%m") }.select { |m| BUCKET.object(key(account, m)).exists? }
  end

  def self.url(account, month)
    BUCKET.object(key(account, month)).presigned_url(:get, expires_in: 300)
  end

  def self.key(account, month)
    "statements/#{month}/#{account}.pdf"
  end
end

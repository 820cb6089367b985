require "aws-sdk-s3"

module Uploader
  def self.put(key, body)
    client.put_object(bucket: ENV.fetch("EXPORT_BUCKET"), key: key, body: body)
  end

  def self.client
    @client ||= Aws::S3::Client.new
  end
end

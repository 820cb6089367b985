require "aws-sdk-s3"

module Uploader
  def self.put(key, body)
    Aws::S3::Client.new.put_object(bucket: ENV.fetch("EXPORT_BUCKET"), key: key, body: body)
  end
end

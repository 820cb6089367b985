require "aws-sdk-kinesis"
require "json"
require "securerandom"

class Clicks
  def initialize(client = Aws::Kinesis::Client.new)
    @client = client
  end

  def send_all(events)
    records = events.map { |e| { data: JSON.dump(e), partition_key: SecureRandom.hex(8) } }
    @client.put_records(stream_name: "clickstream", records: records)
  end
end

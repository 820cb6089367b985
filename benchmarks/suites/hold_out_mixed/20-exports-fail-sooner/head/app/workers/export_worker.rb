require "json"
require_relative "../services/statement_export"

class ExportWorker
  include Shoryuken::Worker

  shoryuken_options queue: "statement-exports", auto_delete: true

  def perform(_sqs_msg, body)
    job = JSON.parse(body)
    began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    StatementExport.new(job.fetch("account_id"), job.fetch("month")).run
    took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
    Shoryuken.logger.info("exported account=#{job["account_id"]} took=#{took.round(1)}s")
  end
end

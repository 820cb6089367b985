class PrintJob
  include Sidekiq::Job

  def perform(letter_id)
    letter = Letter.find(letter_id)
    reference = Printer.submit(letter.pdf)
    letter.update!(state: "printed", reference: reference)
  end
end

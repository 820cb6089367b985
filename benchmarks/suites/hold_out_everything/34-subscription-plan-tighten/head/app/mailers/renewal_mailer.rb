class RenewalMailer < ApplicationMailer
  def notice(subscription)
    @subscription = subscription
    mail(to: subscription.email, subject: "Your plan renews soon")
  end
end

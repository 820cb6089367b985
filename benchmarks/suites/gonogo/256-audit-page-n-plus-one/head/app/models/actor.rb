class Actor < ApplicationRecord
  def self.current(id)
    actor = find(id)
    actor.merged_into_id ? find(actor.merged_into_id) : actor
  end
end

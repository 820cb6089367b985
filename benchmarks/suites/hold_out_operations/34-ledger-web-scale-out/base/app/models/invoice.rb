class Invoice < ApplicationRecord
  scope :recent, -> { order(issued_on: :desc).limit(100) }
  scope :for_tenant, ->(id) { where(tenant_id: id) }
end

class Fragment
  VERSION = "v3"

  def self.fetch(product)
    Rails.cache.fetch(["fragment", VERSION, product.cache_key_with_version], expires_in: 7.days) do
      ApplicationController.render(partial: "products/tile", locals: { product: product })
    end
  end
end

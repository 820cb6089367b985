module Pages
  def self.clamp(size)
    size.clamp(1, 200)
  end
end

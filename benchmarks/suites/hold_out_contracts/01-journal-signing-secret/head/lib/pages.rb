module Pages
  def self.clamp(size)
    return 1 if size < 1
    return 200 if size > 200
    size
  end
end

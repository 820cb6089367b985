threads 5, 5
port ENV.fetch("PORT", 3000)

lanes = ["door-open", "door-close", "heartbeat"]

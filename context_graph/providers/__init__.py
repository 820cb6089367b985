"""Sources of production facts, all behind gonogo.ports.Provider."""

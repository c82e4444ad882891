// simulation

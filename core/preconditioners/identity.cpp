// preconditioners

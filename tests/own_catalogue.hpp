#pragma once

#include "solvers/catalogue.hpp"

namespace clothlab::testing {

/// The program has the built-in methods and these as long as this lives.
class OwnCatalogue {
public:
    explicit OwnCatalogue(solvers::SolverEntry entry) {
        solvers::useCatalogue(solvers::builtInCatalogue().with(std::move(entry)));
    }
    ~OwnCatalogue() { solvers::useCatalogue(solvers::builtInCatalogue()); }
    OwnCatalogue(const OwnCatalogue&) = delete;
    OwnCatalogue& operator=(const OwnCatalogue&) = delete;
};

}  // namespace clothlab::testing

#include "bench.hpp"
#include "factorizations.hpp"
#include "integrators/kind.hpp"
#include "preconditioners/kind.hpp"
#include "stepped_sheet.hpp"

namespace clothlab::bench {
namespace {

/// A sheet stretched by 1 % with a pinned rim: each spring is and stays taut. Repeats the same step of linearized
/// backward Euler with and without the active set's repeats, of which it needs none. Both use the same memory: two
/// sheets at different addresses differ by up to a tenth.
class TautSheet {
public:
    explicit TautSheet(int side) : case_(tautCase(side)), sheet_(case_, settingsOf(0), 1, incompleteCholesky()) {
        sheet_.state.x.flat() *= 1.01;
        for (Index i = 0; i < side * side; ++i) {
            const Index row = i / side, column = i % side;
            if (row % (side - 1) == 0 || column % (side - 1) == 0)
                integrators::setPin(sheet_.state, i, integrators::PinHold::point());
        }
    }
    void step(int activeSet) {
        sheet_.take(settingsOf(activeSet));
        require(sheet_.step().outer.empty(), "a step without repeats");
    }

private:
    static LocalGlobalCase tautCase(int side) {
        LocalGlobalCase c = localGlobalCase(side);
        c.material.tensionOnly = true;
        c.material.stretchStiffness = 6000;
        return c;
    }
    static integrators::IntegratorSettings settingsOf(int activeSet) {
        return {.kind = integrators::IntegratorKind::LinearizedBackwardEuler, .dt = 0.001, .activeSet = activeSet};
    }
    static std::unique_ptr<solvers::Solver> incompleteCholesky() {
        return solvers::makeSolver({}, {.kind = preconditioners::PreconditionerKind::IncompleteCholesky});
    }
    LocalGlobalCase case_;
    SteppedSheet sheet_;
};

}  // namespace

void activeSetRatios(std::vector<Ratio>& out) {
    TautSheet sheet(161);
    out.push_back(compare(
        "active_set_idle", [&] { sheet.step(3); }, [&] { sheet.step(0); }, 61));
}

}  // namespace clothlab::bench

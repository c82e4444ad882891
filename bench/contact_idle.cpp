#include "bench.hpp"
#include "integrators/kind.hpp"
#include "preconditioners/kind.hpp"
#include "stepped_sheet.hpp"

namespace clothlab::bench {
namespace {

/// A sheet that slides on a plane. Repeats the same step of linearized backward Euler with and without repeats for
/// contact, of which it needs none: friction is that of the previous step.
class SlidingSheet {
public:
    explicit SlidingSheet(int side) : case_(localGlobalCase(side)), sheet_(case_, settings(), 1, incompleteCholesky()) {
        for (Index i = 0; i < side * side; ++i) {
            sheet_.state.x[i] -= Vec3(0, 1e-9, 0);  // just inside of the plane
            sheet_.state.v[i] = Vec3(1, 0, 0.3);
        }
        sheet_.colliders = {contact::Collider{.name = "floor", .shape = geometry::Plane{}}};
        sheet_.contact.muS = 0.2;
        sheet_.contact.muK = 0.1;
        for (int k = 0; k < 3; ++k) {
            sheet_.step();
            sheet_.advance();
        }
    }
    void step(int activeSet) {
        sheet_.contact.activeSet = activeSet;
        const integrators::StepOutcome outcome = sheet_.step();
        require(outcome.contactRepeats.repeats == 0, "a step without repeats");
        require(outcome.ndofCounts[2] == case_.model.particles(), "a sheet that slides as a whole");
    }

private:
    static integrators::IntegratorSettings settings() {
        return {.kind = integrators::IntegratorKind::LinearizedBackwardEuler, .dt = 0.001};
    }
    static std::unique_ptr<solvers::Solver> incompleteCholesky() {
        return solvers::makeSolver({}, {.kind = preconditioners::PreconditionerKind::IncompleteCholesky});
    }
    LocalGlobalCase case_;
    SteppedSheet sheet_;
};

}  // namespace

void contactIdleRatios(std::vector<Ratio>& out) {
    SlidingSheet sheet(161);
    out.push_back(compare(
        "contact_idle", [&] { sheet.step(8); }, [&] { sheet.step(0); }, 61));
}

}  // namespace clothlab::bench

#pragma once

#include "experiments/race/race_columns.hpp"
#include "panel_fixture.hpp"
#include "solvers/kind.hpp"

namespace clothlab::app::panels {

/// A finished race, whose rows differ in all sort keys of the table.
class RacePanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        auto& r = progress.result;
        r.scene = "hang";
        r.step = 100;
        r.particles = 1681;
        r.options.tolerances = {1e-3, 1e-6};
        r.field = {{{{.kind = solvers::SolverKind::ReducedPcg},
                     {.kind = enumNamed<preconditioners::PreconditionerKind>("block-jacobi")}},
                    true},
                   {{{.kind = solvers::SolverKind::Cholesky, .form = solvers::DirectForm::Reduced}, {}}},
                   {{{.kind = solvers::SolverKind::Mpcg},
                     {.kind = enumNamed<preconditioners::PreconditionerKind>("incomplete-cholesky"), .fillLevel = 1}}},
                   {{{.kind = solvers::SolverKind::ReducedPcg},
                     {.kind = enumNamed<preconditioners::PreconditionerKind>("incomplete-poisson")}}}};
        for (const double tolerance : r.options.tolerances) {
            r.rows.push_back(row(0, tolerance, solvers::SolveStatus::Converged, 80, 4));
            r.rows.push_back(row(1, tolerance, solvers::SolveStatus::Converged, 0, 12));
            r.rows.push_back(row(2, tolerance, solvers::SolveStatus::Converged, 5, 2));
            r.rows.push_back(row(3, tolerance, solvers::SolveStatus::Stalled, 900, 1));
        }
        model.results.set(&progress);
        model.panel = model::Panel::Race;
        frames(3);
    }
    static experiments::RaceRow row(std::size_t contestant, double tolerance, solvers::SolveStatus status,
                                    int iterations, double ms) {
        experiments::RaceRow out{.contestant = contestant,
                                 .tolerance = tolerance,
                                 .status = status,
                                 .iterations = iterations,
                                 .runs = 5,
                                 .trueRelativeResidual = tolerance / 2,
                                 .setUpMs = ms / 3,
                                 .totalMs = ms,
                                 .coldMs = 2 * ms,
                                 .bytes = 1e6,
                                 .message = {}};
        for (int k = 0; k <= iterations && iterations > 0; ++k) {
            out.residuals.push_back(float(std::pow(tolerance / 2, double(k) / iterations)));
            out.errors.push_back(0.5f * out.residuals.back());
            out.milliseconds.push_back(float(ms * k / iterations));
        }
        out.totalMinMs = out.middleMinMs = 0.95 * ms, out.totalMaxMs = out.middleMaxMs = 1.05 * ms;
        out.smallestRitz = 0.01, out.largestRitz = 2;
        out.ritz = {0.01f, 0.5f, 2};
        return out;
    }
    float topOf(const std::string& rowId) { return at("race/row/" + rowId).y; }

    const std::string jacobi = "reduced-pcg+block-jacobi", cholesky = "cholesky+form=reduced",
                      ic = "mpcg+incomplete-cholesky+fill_level=1", poisson = "reduced-pcg+incomplete-poisson";
    worker::RaceProgress progress;
};

}  // namespace clothlab::app::panels

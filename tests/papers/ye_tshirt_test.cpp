#include <gtest/gtest.h>

#include <algorithm>

#include "method_pairs.hpp"
#include "papers/rows.hpp"
#include "papers/ye/frames.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "support/sanitizers.hpp"

/// [Y] figure 1: a T-shirt and a sheet on a solid.
namespace clothlab::papers {
namespace {

using testing::find;
using testing::is;
using testing::kSanitized;
using testing::number;
using testing::optionsFor;

/// Frames in contact, at the paper's size.
std::vector<ye::Frame> listFrames(Worn worn) {
    ReproduceOptions options = optionsFor(kSanitized ? 14 : 0);
    options.quick = false;
    Job job(options);
    auto walked =
        ye::walkFrames(shirtScene(job.side(41, 21), worn, job), ye::stepsFrom(kSanitized ? 10 : 44, 2, 8), job);
    EXPECT_TRUE(walked) << walked.error().text();
    return std::move(walked->frames);
}

int iterationsOfCore(const ye::Frame& frame, bool shear) {
    linalg::BlockVector dv;
    const auto solved = testing::solveFrozen(
        frame.system,
        {.kind = solvers::SolverKind::ReducedPcg, .tolerance = 1e-3, .stopping = solvers::Stopping::PNorm},
        {.kind = preconditioners::PreconditionerKind::MatrixCore, .shearInCore = shear}, dv);
    EXPECT_EQ(solved.status, solvers::SolveStatus::Converged) << frame.report.step;
    return solved.iterations;
}

// The sheet has shear springs, which are in the core only if the scene puts them there.
TEST(DressedForm, EverySolverAndPreconditionerAgreesWithCholesky) {
    const std::vector<ye::Frame> frames = listFrames(Worn::ShirtAndSheet);
    ASSERT_EQ(frames.size(), 2u);
    const ye::Frame& frame = frames.back();
    EXPECT_LE(iterationsOfCore(frame, true), 4);
    if (!kSanitized) {
        EXPECT_EQ(frame.system.A.rows(), 2791 + 1681);
        EXPECT_GT(frame.report.ndofCounts[2], 100) << "the frame must have contacts";
    }
    linalg::BlockVector exact;
    ASSERT_TRUE(solvers::converged(
        testing::solveFrozen(frame.system, {.kind = solvers::SolverKind::Cholesky}, {}, exact).status));
    const double scale = exact.flat().norm();
    testing::solveByEveryMethod(frame.system, 1e-12, [&](const std::string& words, const linalg::BlockVector& dv) {
        EXPECT_LT((dv.flat() - exact.flat()).norm(), 1e-9 * scale) << words;
    });
}

// All its in-plane edges are stretch springs, and its bend springs are soft.
TEST(DressedForm, CorePcgTakesAtMostEightIterationsOnTheShirt) {
    for (const ye::Frame& frame : listFrames(Worn::ShirtAlone)) {
        if (!kSanitized) {
            EXPECT_EQ(frame.system.A.rows(), 2791);
        }
        const auto iterations = iterationsOfCore(frame, false);
        EXPECT_GE(iterations, 1);
        EXPECT_LE(iterations, 8) << frame.report.step;
    }
}

TEST(Reproduce, YeFigure1TheMethodsAgreeAndTheCoreSavesIterations) {
    const auto table = reproduce("ye-figure-1", optionsFor(kSanitized ? 14 : 16));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 7u);
    const auto iterations = [&](std::string_view method) -> double {
        for (const ReproductionRow& row : table->rows)
            if (is(row.what, "method", method)) return number(row.ours, "iterations");
        return std::nan("");
    };
    for (const ReproductionRow& row : table->rows) {
        EXPECT_EQ(find(row.ours, "status"), nullptr);
        const bool direct = find(row.ours, "iterations") == nullptr;
        EXPECT_LT(number(row.ours, "difference"), direct ? 1e-9 : 1e-2) << "tolerance 1e-3, in another norm";
        EXPECT_GT(number(row.ours, "dynamics_ms"), 0);
    }
    EXPECT_LE(iterations("corePCG"), 4);
    EXPECT_NEAR(iterations("MPCG, plain"), iterations("MPCG"), 2) << "the plain loop is the same method";
    EXPECT_LT(iterations("incomplete Cholesky"), iterations("block Jacobi"));
    EXPECT_LT(iterations("block Jacobi"), iterations("MPCG"));
}

}  // namespace
}  // namespace clothlab::papers

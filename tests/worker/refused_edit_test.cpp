#include <gtest/gtest.h>

#include "integrators/kind.hpp"
#include "thread_fixture.hpp"

namespace clothlab::app::worker {
namespace {

using RefusedEditTest = ThreadTest;

// A failed step offers a setting that helps. The problem of an edit refused afterwards does not offer it.
TEST_F(RefusedEditTest, SaysWhyAndOffersNothingThatWasForAnotherProblem) {
    scene::Scene scene = hangingSheet(9);
    scene.settings.integrator.kind = integrators::IntegratorKind::ForwardEuler;
    scene.settings.integrator.substeps = 1;
    start(scene, true);
    ASSERT_TRUE(until([&] { return !now().problem.empty(); }));
    EXPECT_NE(now().cure, "") << now().problem;
    EXPECT_TRUE(now().cureSettings);
    thread->post(Apply{edits::Unpin{99999}, now().mesh->revision});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().problem.find("Not unpinned: there is no particle 99999"), 0u) << now().problem;
    EXPECT_EQ(now().cure, "");
    EXPECT_FALSE(now().cureSettings);
}

}  // namespace
}  // namespace clothlab::app::worker

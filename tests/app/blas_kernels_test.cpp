#include <gtest/gtest.h>

#include "program.hpp"

/// OpenBLAS chooses its kernels by the processor or an environment variable. A motion must not depend on that choice.
namespace clothlab::tests {
namespace {

std::string computeHash(const std::string& motion, const std::string& before) {
    const Result r = clothlab("run " + motion, before);
    EXPECT_EQ(r.code, 0) << r.err;
    const std::size_t at = r.out.find("state ");
    return at == std::string::npos ? r.out : r.out.substr(at, 22);
}

TEST(BlasKernels, AMotionHasTheSameBitsWithAll) {
    const std::string size = " --set cloth.rows=25 --set cloth.columns=25 --steps 12";
    for (const std::string motion :
         {"hang --set solver.kind=cholesky", "hang --set solver.kind=eigen-ldlt", "hang --set solver.kind=combined-lu",
          "hang --set preconditioner.kind=matrix-core", "liu-curtain"}) {
        const std::string unset = computeHash(motion + size, "env -u OPENBLAS_CORETYPE");
        EXPECT_TRUE(unset.starts_with("state ")) << unset;
        for (const char* kernels : {"Haswell", "Zen", "Sandybridge", "Prescott"})
            EXPECT_EQ(computeHash(motion + size, std::string("env OPENBLAS_CORETYPE=") + kernels), unset)
                << motion << kernels;
    }
}

}  // namespace
}  // namespace clothlab::tests

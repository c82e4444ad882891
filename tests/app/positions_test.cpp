#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "app/npy.hpp"
#include "app/program.hpp"
#include "base/input.hpp"
#include "linalg/matrix_market.hpp"
#include "parsed_json.hpp"

namespace clothlab::tests {
namespace {

TEST(Positions, NpyAndLinesHoldTheSameBitsAndTheSameSteps) {
    const ScratchFolder folder;
    const std::string run = "run chen --steps 7 --every 3 --positions ";
    for (const char* name : {"p.npy", "p.ndjson"}) {
        const Result r = clothlab(run + "'" + folder.file(name) + "'");
        ASSERT_EQ(r.code, 0) << r.err;
    }
    const Npy npy = readNpy(folder.file("p.npy"));
    EXPECT_TRUE(says(npy.header, "'descr': '<f8'") && says(npy.header, "'shape': (3, 2, 25, 3)") &&
                says(npy.header, "'fortran_order': False"))
        << npy.header;
    const Npy steps = readNpy(folder.file("p.steps.npy"));
    EXPECT_TRUE(says(steps.header, "'<i8'") && says(steps.header, "(3,)")) << steps.header;
    const std::string lines = *readFile(folder.file("p.ndjson"));
    std::vector<double> values;
    std::istringstream in(lines);
    int frame = 0;
    for (std::string line; std::getline(in, line); ++frame) {
        const ParsedJson json(line);
        EXPECT_EQ(json["step"], 3 * frame);
        std::int64_t step = 0;
        std::memcpy(&step, &steps.values.at(frame), 8);
        EXPECT_EQ(step, 3 * frame);
        for (const char* key : {"x", "v"})
            for (const ParsedJson& particle : json[key].items())
                for (const ParsedJson& c : particle.items()) values.push_back(c.get<double>());
    }
    EXPECT_EQ(frame, 3);
    EXPECT_EQ(values, npy.values);

    const Result piped = clothlab(run + "-");
    EXPECT_EQ(piped.out, lines);
    EXPECT_TRUE(says(piped.err, "7 steps"));
    EXPECT_EQ(clothlab("run chen --every 2").code, 2);
    for (const char* name : {"p.csv", "p", ".obj"}) {
        const Result refused = clothlab(run + "'" + folder.file(name) + "'");
        EXPECT_EQ(refused.code, 2) << name;
        EXPECT_TRUE(says(refused.err, "(valid: FILE.npy, FILE.ndjson, FILE.pc2, FILE.obj, -)")) << refused.err;
    }
}

/// `system --step K` starts from the state that `run --positions` writes for K-1, and leads to that for K.
TEST(Positions, ASystemHasTheStateThatItIsBuiltFrom) {
    const ScratchFolder folder;
    const std::string settings =
        "--set cloth.rows=9 --set cloth.columns=9 --set wind.velocity=1,0,2 --set wind.gust=0.5";
    ASSERT_EQ(clothlab("run drape-sphere --steps 12 " + settings + " --positions '" + folder.file("p.npy") +
                       "' --out '" + folder.file("o") + "'")
                  .code,
              0);
    ASSERT_EQ(clothlab("system drape-sphere --step 12 " + settings + " --out '" + folder.file("s") + "'").code, 0);
    const auto matrix = [&](const char* name) {
        const std::string path = folder.file(std::string("s/") + name);
        return linalg::readMatrixMarket(*readFile(path), path)->dense();
    };
    const Npy npy = readNpy(folder.file("p.npy"));
    const std::size_t n = 81, frame = 2 * n * 3;
    const auto value = [&](std::size_t step, std::size_t which, std::size_t i, std::size_t c) {
        return npy.values.at(step * frame + which * n * 3 + 3 * i + c);
    };
    const Eigen::MatrixXd x = matrix("x.mtx"), v = matrix("v.mtx"), dv = matrix("delta_v.mtx");
    ASSERT_EQ(x.rows(), 81);
    ASSERT_EQ(x.cols(), 3);
    const ParsedJson about(*readFile(folder.file("s/constraints.json")));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            const auto r = Eigen::Index(i), k = Eigen::Index(c);
            EXPECT_EQ(x(r, k), value(11, 0, i, c));
            EXPECT_EQ(v(r, k), value(11, 1, i, c));
            EXPECT_NEAR(v(r, k) + dv(3 * r + k, 0), value(12, 1, i, c), 1e-14);
        }
    EXPECT_NEAR(about["time_s"].get<double>(), 11 * about["dt_s"].get<double>(), 1e-12);
    const ParsedJson wind = about["wind_m_s"];
    EXPECT_NEAR(wind[2].get<double>(), 2 * wind[0].get<double>(), 1e-12);
    EXPECT_NE(wind[0].get<double>(), 1) << "a gust changes it";
    ASSERT_GT(about["colliders"].size(), 0u);
    EXPECT_EQ(about["colliders"][0]["orientation_wxyz"].size(), 4u);
    EXPECT_EQ(about["solve"]["status"], "converged");
    EXPECT_LE(about["solve"]["true_relative_residual"].get<double>(), 1e-2);

    const Npy last = readNpy(folder.file("o/last_state.npy"));
    EXPECT_TRUE(says(last.header, "(2, 81, 3)"));
    EXPECT_EQ(last.values, std::vector<double>(npy.values.end() - std::ptrdiff_t(frame), npy.values.end()));
}

TEST(Positions, ASystemWhoseSolveDidNotConvergeSaysSo) {
    const ScratchFolder folder;
    const Result r =
        clothlab("system chen --step 20 --set solver.max_iterations=3 --set solver.tolerance=1e-10 --out '" +
                 folder.file("s") + "'");
    EXPECT_EQ(r.code, 0);
    EXPECT_TRUE(says(r.err, "max-iterations") && says(r.err, "delta_v.mtx is not the solution")) << r.err;
    const ParsedJson about(*readFile(folder.file("s/constraints.json")));
    EXPECT_EQ(about["solve"]["status"], "max-iterations");
    EXPECT_GT(about["solve"]["true_relative_residual"].get<double>(), 1e-10);
}

}  // namespace
}  // namespace clothlab::tests

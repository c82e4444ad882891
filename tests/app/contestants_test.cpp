#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "app/program.hpp"
#include "base/output.hpp"
#include "parsed_json.hpp"

// The examples of docs/contestants, and files exchanged with SciPy and PETSc. Where Python lacks these, the tests are
// skipped.
namespace clothlab::tests {
namespace {

const std::string kPython = "/usr/bin/python3", kExamples = CLOTHLAB_SOURCE_DIR "/docs/contestants/";

/// The folder of petsc4py in Debian, which must be in PYTHONPATH.
std::string petscPath() {
    std::error_code ignored;
    for (auto at = std::filesystem::recursive_directory_iterator("/usr/lib/petscdir", ignored);
         at != std::filesystem::recursive_directory_iterator(); at.increment(ignored)) {
        if (ignored) break;
        if (at->path().filename() == "petsc4py") return at->path().parent_path().string();
    }
    return {};
}

/// Whether Python can import the module.
bool has(const std::string& module) {
    return std::system(
               ("PYTHONPATH='" + petscPath() + "' " + kPython + " -c 'import " + module + "' 2>/dev/null").c_str()) ==
           0;
}

Result python(const std::string& script, const ScratchFolder& folder) {
    EXPECT_TRUE(writeFile(folder.file("script.py"), script, {}));
    const std::string out = folder.file("script.out");
    const int status = std::system(
        ("cd '" + folder.path() + "' && PYTHONPATH='" + petscPath() + "' " + kPython + " script.py > script.out 2>&1")
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *readFile(out), {}};
}

const std::string kSmall = " hang --step 30 --set cloth.rows=17 --set cloth.columns=17 ";

/// The result of a race of a small sheet with some programs.
ParsedJson raceWith(const std::string& programs) {
    const Result r = clothlab("race" + kSmall + "--json --runs 1 --tolerance 1e-3,1e-6 --threads 1 " + programs,
                              "PYTHONPATH='" + petscPath() + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    return ParsedJson(r.out);
}

int readIterations(const ParsedJson& race, const std::string& method, double tolerance) {
    for (const ParsedJson& row : race["rows"].items())
        if (row["method"] == method && row["tolerance"] == tolerance && !(row["solver"] == "mpcg")) {
            EXPECT_TRUE(row["status"] == "converged") << method << ": " << row["message"];
            return row["iterations"].get<int>();
        }
    ADD_FAILURE() << "no row of " << method;
    return -1;
}

std::string with(const std::string& name, const std::string& script, const std::string& options = "") {
    return "--with '" + name + "=" + kPython + " " + kExamples + script + " {dir} " + options + "' ";
}

TEST(Contestants, SciPysIncompleteFactorSolves) {
    if (!has("scipy.sparse.linalg")) GTEST_SKIP() << "Python has no SciPy";
    const ParsedJson race = raceWith(with("spilu", "spilu.py"));
    for (const double tolerance : {1e-3, 1e-6}) EXPECT_GT(readIterations(race, "spilu", tolerance), 0);
}

TEST(Contestants, PetscTakesOurIterations) {
    if (!has("petsc4py.PETSc")) GTEST_SKIP() << "Python has no petsc4py";
    const ParsedJson race =
        raceWith(with("p jacobi", "petsc.py", "-pc_type jacobi") + with("p block", "petsc.py", "-pc_type pbjacobi") +
                 with("p ssor", "petsc.py", "-pc_type sor") + with("p icc", "petsc.py", "-pc_type icc") +
                 with("p gamg", "petsc_gamg.py") + with("p gamg translations", "petsc_gamg.py", "translations"));
    for (const double tolerance : {1e-3, 1e-6}) {
        for (const auto& [theirs, ours] :
             {std::pair{"p jacobi", "jacobi"}, {"p block", "block-jacobi"}, {"p ssor", "ssor"}}) {
            const int count = readIterations(race, ours, tolerance);
            EXPECT_NEAR(readIterations(race, theirs, tolerance), count, std::max(1.0, 0.02 * count)) << ours;
        }
        for (const char* theirs : {"p icc", "p gamg", "p gamg translations"})
            EXPECT_GT(readIterations(race, theirs, tolerance), 0) << theirs;
    }
}

TEST(Contestants, NoneOfThemIsLongerThanFifteenLines) {
    int examples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
        if (entry.path().extension() != ".py") continue;
        ++examples;
        const std::string text = *readFile(entry.path().string());
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 15) << entry.path();
    }
    EXPECT_GE(examples, 3);
}

TEST(SystemFormats, SciPyReadsOursAndWeReadSciPys) {
    if (!has("scipy.sparse")) GTEST_SKIP() << "Python has no SciPy";
    const ScratchFolder folder;
    for (const std::string format : {"mtx", "npz"})
        ASSERT_EQ(clothlab("system" + kSmall + "--format " + format + " --out '" + folder.file(format) + "'").code, 0);
    const Result r = python(R"(
import os, numpy as np, scipy.io as io, scipy.sparse as sp
for name in ('A', 'core', 'S', 'pattern'):
    theirs, ours = io.mmread('mtx/%s.mtx' % name).tocsr(), sp.load_npz('npz/%s.npz' % name)
    assert ours.format == ('csr' if name == 'pattern' else 'bsr'), ours.format
    assert abs(theirs - ours.tocsr()).max() == 0, name
for name in ('b', 'z', 'delta_v', 'x', 'v'):
    assert (io.mmread('mtx/%s.mtx' % name).reshape(-1) == np.load('npz/%s.npy' % name).reshape(-1)).all(), name
A, b = sp.load_npz('npz/A.npz'), np.load('npz/b.npy')
for form in ('bsr', 'csr', 'csc', 'coo'):
    os.mkdir(form)
    sp.save_npz(form + '/A.npz', A.asformat(form))  # compressed, as it does by itself
    np.save(form + '/b.npy', b)
)",
                            folder);
    ASSERT_EQ(r.code, 0) << r.out;
    for (const std::string form : {"bsr", "csr", "csc", "coo"}) {
        const Result race = clothlab("race --csv --runs 1 --tolerance 1e-6 --system '" + folder.file(form) + "'");
        ASSERT_EQ(race.code, 0) << form << race.err;
        EXPECT_TRUE(says(race.out, "reduced-pcg,jacobi,1e-06,converged")) << form << race.out;
    }
}

TEST(SystemFormats, PetscReadsOursAndWeReadPetscs) {
    if (!has("petsc4py.PETSc")) GTEST_SKIP() << "Python has no petsc4py";
    const ScratchFolder folder;
    for (const std::string format : {"npz", "petsc"})
        ASSERT_EQ(clothlab("system" + kSmall + "--format " + format + " --out '" + folder.file(format) + "'").code, 0);
    const Result r = python(R"(
import os, numpy as np, scipy.sparse as sp
from petsc4py.PETSc import Mat, Vec, Viewer
os.mkdir('again')
for name in ('A', 'core', 'S', 'pattern', 'b', 'z', 'delta_v', 'x', 'v'):
    matrix = os.path.exists('npz/%s.npz' % name)
    read = (Mat if matrix else Vec)().load(Viewer().createBinary('petsc/%s.petsc' % name, 'r'))
    if matrix:
        starts, columns, values = read.getValuesCSR()
        ours = sp.load_npz('npz/%s.npz' % name).tocsr()
        ours.sort_indices()
        assert (ours.indptr == starts).all() and (ours.indices == columns).all() and (ours.data == values).all(), name
    else:
        assert (np.load('npz/%s.npy' % name).reshape(-1) == read.array).all(), name
    read.view(Viewer().createBinary('again/%s.petsc' % name, 'w'))
    assert open('again/%s.petsc' % name, 'rb').read() == open('petsc/%s.petsc' % name, 'rb').read(), name
)",
                            folder);
    ASSERT_EQ(r.code, 0) << r.out;
}

}  // namespace
}  // namespace clothlab::tests

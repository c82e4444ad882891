#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "app/program.hpp"
#include "base/output.hpp"
#include "parsed_json.hpp"

// The user's own programs as contestants of a race.
namespace clothlab::tests {
namespace {

/// A folder with a system of 4 particles, one of them held: 3 x 3 blocks with 4 on the diagonal and -1 beside it.
class Programs : public ::testing::Test {
protected:
    Programs() {
        std::string A, b = "%%MatrixMarket matrix array real general\n12 1\n";
        int count = 0;
        for (int i = 0; i < 12; ++i)
            for (int j : {i - 3, i})
                if (j >= 0)
                    ++count, A += std::to_string(i + 1) + " " + std::to_string(j + 1) + (i == j ? " 4\n" : " -1\n");
        for (int i = 0; i < 12; ++i) b += std::to_string(i + 1) + "\n";
        EXPECT_TRUE(writeFile(
            folder_.file("A.mtx"),
            "%%MatrixMarket matrix coordinate real symmetric\n12 12 " + std::to_string(count) + "\n" + A, {}));
        EXPECT_TRUE(writeFile(folder_.file("b.mtx"), b, {}));
        EXPECT_TRUE(writeFile(folder_.file("constraints.json"),
                              R"({"constraints": [{"particle": 0, "ndof": 0, "z": [0.5, 0, 0]}]})", {}));
        std::filesystem::create_directory(folder_.file("tmp"));
    }

    /// Races these programs, {"name", "command"}; TMPDIR is a folder of the test, which must be empty afterwards.
    Result race(const std::vector<std::pair<std::string, std::string>>& programs, const std::string& more = "--json") {
        std::string arguments = "race --runs 1 --tolerance 1e-3 --system '" + folder_.path() + "' " + more;
        for (const auto& [name, command] : programs) {
            const std::string script = folder_.file(name + ".sh");  // a script needs no double quoting
            std::ofstream(script) << command << "\n";
            arguments += " --with '" + name + "=sh " + script + " {dir}'";
        }
        const Result out = clothlab(arguments, "TMPDIR='" + folder_.file("tmp") + "'");
        EXPECT_TRUE(std::filesystem::is_empty(folder_.file("tmp")));
        return out;
    }
    /// The row of a program.
    static ParsedJson findRow(const ParsedJson& race, const std::string& name) {
        for (const ParsedJson& row : race["rows"].items())
            if (row["method"] == name) return row;
        ADD_FAILURE() << "no row of " << name;
        return ParsedJson("{}");
    }

    ScratchFolder folder_;
};

/// Solves the system above in plain Python: the rows of a coordinate are a chain, 4 and -1, whose first value is held.
/// `claims` and `spoiled` may change the answer before it is written.
std::string solving(const std::string& spoiled = "", const std::string& claims = "") {
    return "exec /usr/bin/python3 - $1 <<'END'\n"
           R"(
import json, struct, sys
d = sys.argv[1]
p = json.load(open(d + '/problem.json'))
def vector(name):
    bytes = open(d + '/' + p['files'][name]['npz'], 'rb').read()
    start = 10 + bytes[8] + 256 * bytes[9]
    return list(struct.unpack('<%dd' % p['rows'], bytes[start:]))
b, z = vector('b'), vector('z')
x = list(z)
for c in range(3):
    r = [b[3 * i + c] for i in range(4)]
    r[1] += z[c]
    for sweep in range(40):
        for i in (1, 2, 3):
            x[3 * i + c] = (r[i] + (x[3 * i - 3 + c] if i > 1 else 0) + (x[3 * i + 3 + c] if i < 3 else 0)) / 4
descr, n = '<f8', len(x)
answer = {'setup_s': 0.001, 'solve_s': 0.002, 'iterations': 40}
)" + claims +
           spoiled +
           R"(
header = ("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, n)).ljust(117) + '\n'
open(d + '/x.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', 118) + header.encode() + struct.pack('<%dd' % len(x), *x))
json.dump(answer, open(d + '/answer.json', 'w'))
END
)";
}

TEST_F(Programs, OneThatSolvesIsARowInAllThatARaceGives) {
    const Result json = race({{"mine", solving()}}, "--json --out '" + folder_.file("bundle") + "'");
    ASSERT_EQ(json.code, 0) << json.err;
    const ParsedJson all(json.out), row = findRow(all, "mine");
    EXPECT_EQ(row["solver"].get<std::string>(), "program");
    EXPECT_EQ(row["status"].get<std::string>(), "converged") << row["message"].get<std::string>();
    EXPECT_EQ(row["message"].get<std::string>(), "");
    EXPECT_EQ(row["times_by"].get<std::string>(), "program");
    EXPECT_EQ(row["iterations"].get<double>(), 40);
    EXPECT_NEAR(row["set_up_ms"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(row["total_ms"].get<double>(), 3, 1e-9);
    EXPECT_GT(row["process_ms"].get<double>(), 1);
    EXPECT_LT(row["true_relative_residual"].get<double>(), 1e-10);
    EXPECT_EQ(row["rank"].kind(), JsonNode::Kind::Null) << "claimed times are not ranked with measured ones";
    EXPECT_EQ(row["multiply_ms"].kind(), JsonNode::Kind::Null);
    EXPECT_EQ(all["programs"].size(), 1u);
    for (const ParsedJson& other : all["rows"].items())
        if (!(other["solver"] == "program")) {
            EXPECT_EQ(other["times_by"].get<std::string>(), "race");
            EXPECT_EQ(other["process_ms"].kind(), JsonNode::Kind::Null);
        }
    EXPECT_TRUE(says(*readFile(folder_.file("bundle/race.csv")), "program,mine,0.001,converged,40,"));
    EXPECT_TRUE(says(*readFile(folder_.file("bundle/curves.csv")), "program,mine,0.001,40,3,"));
    const std::string table = *readFile(folder_.file("bundle/race.txt"));
    EXPECT_TRUE(says(table, "as it says")) << table;
    EXPECT_TRUE(says(table, "mine, 1e-03: its process took ")) << table;
    EXPECT_TRUE(says(table, "They have no curves")) << table;
}

TEST_F(Programs, EachThatMisbehavesIsARowThatSaysSo) {
    struct Case {
        std::string name, command, status, message;
    };
    const std::string ids = folder_.file("ids");
    const Case cases[] = {
        {"exits-7", "echo first >&2; echo 'out of luck' >&2; exit 7", "failed", "exited with 7: out of luck"},
        {"crashes", "kill -SEGV $$", "failed", "exited with 139 (signal 11, Segmentation fault)"},
        {"nan", solving("x[7] = float('nan')"), "not-finite", "x.npy: value 7 is nan"},
        {"short", solving("x.pop(); n = 11"), "failed", "x.npy: it has the shape (11,), and (12,) or (4, 3) is needed"},
        {"cut-off", solving("x.pop()"), "failed", "x.npy: its header promises (12,) values"},
        {"other-type", solving("descr = '<i8'"), "failed", "float64 ('<f8') is needed"},
        {"no-npy", "echo '{\"setup_s\": 0, \"solve_s\": 0, \"iterations\": 1}' > $1/answer.json; echo hello > $1/x.npy",
         "failed", "x.npy: this is no file of NumPy's"},
        {"no-json", "echo '{\"setup_s\" 0}' > $1/answer.json", "failed", "answer.json:1:12:"},
        {"no-times", solving("del answer['solve_s']"), "failed", "answer.json:1:1: 'solve_s' is missing"},
        {"negative", solving("answer['solve_s'] = -1"), "failed", "answer.json:1:31: solve_s: -1 is negative"},
        {"large", "head -c 1073741824 /dev/zero > $1/x.npy", "failed", "exited with 153 (signal 25"},
        {"long",
         "echo '{\"setup_s\": 0, \"solve_s\": 0, \"iterations\": 1}' > $1/answer.json; head -c 1000000 /dev/zero > $1/x.npy",
         "failed", "x.npy: "},
        {"nothing", "exit 0", "failed", "it wrote no answer.json"},
        {"lies", solving("x = [v * (1 + 5e-5) for v in x]; x[:3] = z[:3]", "answer['residual'] = 5e-6\n"), "converged",
         "it says that its residual is 5.00e-06, and it is "},
        {"wrong", solving("x[5] += 1"), "stalled", "the true residual is "},
        {"moves-what-is-held", solving("x[0] = 0.6"), "failed", "x violates the constraints"},
        {"took-longer", solving("", "answer['solve_s'] = 3600\n"), "converged",
         "it says that it took 3.6e+03 s, and its process"},
        {"forks",
         "setsid sh -c 'echo $$ >> " + ids + "; sleep 99' & sleep 98 & echo $! >> " + ids + "; while [ $(wc -l < " +
             ids + ") -lt 2 ]; do sleep 0.01; done\n" + solving(),
         "converged", "behind, which were ended"},
        {"reads", "read line || exit 5", "failed", "exited with 5"},
        {"links",
         "echo '{\"setup_s\": 0, \"solve_s\": 0, \"iterations\": 1}' > $1/answer.json; ln -s /dev/zero $1/x.npy",
         "failed", "x.npy: "},
        {"pipes", "mkfifo $1/answer.json", "failed", "answer.json: "},
        {"closes-its-folder", "mkdir $1/a; touch $1/a/b; chmod 0 $1/a $1; exit 3", "failed", "exited with 3"},
    };
    std::vector<std::pair<std::string, std::string>> programs;
    for (const Case& c : cases) programs.emplace_back(c.name, c.command);
    const Result result = race(programs, "--json --with-limit 30");  // enough for a busy machine
    ASSERT_EQ(result.code, 0) << result.err;
    const ParsedJson all(result.out);
    for (const Case& c : cases) {
        const ParsedJson row = findRow(all, c.name);
        EXPECT_EQ(row["status"].get<std::string>(), c.status) << c.name << ": " << row["message"].get<std::string>();
        if (c.status != "converged") {
            EXPECT_EQ(row["rank"].kind(), JsonNode::Kind::Null) << c.name;
        }
        EXPECT_EQ(row["iterations"].kind(), row["total_ms"].kind()) << c.name << ": either both are given or neither";
        EXPECT_TRUE(says(row["message"].get<std::string>(), c.message))
            << c.name << ": " << row["message"].get<std::string>();
    }
    std::ifstream in(ids);
    int left = 0;
    for (int id = 0; in >> id; ++left) EXPECT_NE(kill(id, 0), 0) << id;
    EXPECT_EQ(left, 2);
}

TEST_F(Programs, OneThatNeverEndsIsCutAtItsLimit) {
    const Result result = race({{"never-ends", "trap '' TERM; while :; do sleep 9; done"}}, "--json --with-limit 0.4");
    ASSERT_EQ(result.code, 0) << result.err;
    const ParsedJson row = findRow(ParsedJson(result.out), "never-ends");
    EXPECT_EQ(row["status"].get<std::string>(), "cut");
    EXPECT_TRUE(says(row["message"].get<std::string>(), "had not ended after ")) << row["message"];
    EXPECT_GE(row["process_ms"].get<double>(), 400);
    EXPECT_EQ(row["total_ms"].kind(), JsonNode::Kind::Null);
    EXPECT_EQ(row["true_relative_residual"].kind(), JsonNode::Kind::Null);
}

TEST_F(Programs, OneThatWantsTooMuchMemoryIsARowThatSaysSo) {
    const Result result =
        race({{"wants-much", "head -c 200000000 /dev/zero | tail -c 200000000 > /dev/null"}, {"modest", solving()}},
             "--json --with-memory 100");
    ASSERT_EQ(result.code, 0) << result.err;
    const ParsedJson all(result.out), row = findRow(all, "wants-much");
    EXPECT_EQ(row["status"].get<std::string>(), "failed");
    EXPECT_TRUE(says(row["message"].get<std::string>(), "memory exhausted")) << row["message"];
    EXPECT_TRUE(says(row["message"].get<std::string>(), "a process of it could have 100 MiB of memory"));
    EXPECT_EQ(findRow(all, "modest")["status"].get<std::string>(), "converged");
    EXPECT_EQ(findRow(all, "modest")["message"].get<std::string>(), "");
}

TEST_F(Programs, WhatIsNoProgramIsARowToo) {
    const std::string base = "race --json --runs 1 --tolerance 1e-3 --system '" + folder_.path() + "' ";
    const Result result = clothlab(base + "--with 'a=/no/such/program {dir}' --with 'b=/etc/passwd {dir}'");
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(says(findRow(ParsedJson(result.out), "a")["message"].get<std::string>(),
                     "exited with 127: sh: 1: /no/such/program"));
    EXPECT_TRUE(says(findRow(ParsedJson(result.out), "b")["message"].get<std::string>(), "exited with 126"));
}

TEST_F(Programs, TheCommandLineSaysWhatIsWrong) {
    const auto complaint = [&](const std::string& with) {
        const Result r = clothlab("race --system '" + folder_.path() + "' " + with,
                                  "XDG_CONFIG_HOME='" + folder_.file("config") + "'");
        EXPECT_EQ(r.code, 2) << with;
        return r.err;
    };
    EXPECT_TRUE(says(complaint("--with 'a=true'"), "lacks {dir}"));
    EXPECT_TRUE(says(complaint("--with '=true {dir}'"), "needs a name"));
    EXPECT_TRUE(says(complaint("--with mine"), "contestants.json"));
    EXPECT_TRUE(says(complaint("--with 'a=x {dir}' --with 'a=y {dir}'"), "two programs"));
    EXPECT_TRUE(says(complaint("--with 'a=x {dir}' --with-limit 0"), "--with-limit"));
    std::filesystem::create_directories(folder_.file("config/clothlab"));
    const std::string file = folder_.file("config/clothlab/contestants.json");
    ASSERT_TRUE(
        writeFile(file, "{\"version\": 1,\n \"contestants\": [{\"name\": \"mine\", \"command\": \"true\"}]}", {}));
    EXPECT_TRUE(says(complaint("--with mine"), "contestants.json:2:18: the command of 'mine' lacks {dir}"));
    ASSERT_TRUE(writeFile(file, R"({"version": 1, "contestants": [{"name": "other", "command": "true {dir}"}]})", {}));
    EXPECT_TRUE(says(complaint("--with mine"), "(valid: other)"));
}

TEST_F(Programs, ThoseOfTheConfigurationGoByTheirName) {
    std::filesystem::create_directories(folder_.file("config/clothlab"));
    std::ofstream(folder_.file("mine.sh")) << solving();
    ASSERT_TRUE(writeFile(folder_.file("config/clothlab/contestants.json"),
                          R"({"version": 1, "contestants": [{"name": "mine", "command": "sh )" +
                              folder_.file("mine.sh") + R"( {dir}"}, {"name": "not asked for", "command": "touch )" +
                              folder_.file("ran") + R"( {dir}"}]})",
                          {}));
    const Result r = clothlab("race --json --runs 1 --tolerance 1e-3 --with mine --system '" + folder_.path() + "'",
                              "XDG_CONFIG_HOME='" + folder_.file("config") + "'");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(findRow(ParsedJson(r.out), "mine")["status"].get<std::string>(), "converged");
    EXPECT_FALSE(std::filesystem::exists(folder_.file("ran")));
}

TEST_F(Programs, AnInterruptEndsThemToo) {
    const std::string file = folder_.file("id"), script = folder_.file("p.sh");
    std::ofstream(script) << "echo $$ > " << file << "; sleep 99";
    // SIGTERM, since background jobs of a shell ignore SIGINT.
    const std::string before = "f() { TMPDIR='" + folder_.file("tmp") + "' \"$@\" & p=$!; while [ ! -s " + file +
                               " ]; do sleep 0.02; done; kill -TERM $p; wait $p; }; f";
    const Result r = clothlab(
        "race --json --runs 1 --tolerance 1e-3 --with 'p=sh " + script + " {dir}' --system '" + folder_.path() + "'",
        before);
    EXPECT_EQ(r.code, 143) << r.err;
    int id = 0;
    std::ifstream(file) >> id;
    ASSERT_GT(id, 0);
    EXPECT_NE(kill(id, 0), 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.file("tmp")));
}

}  // namespace
}  // namespace clothlab::tests

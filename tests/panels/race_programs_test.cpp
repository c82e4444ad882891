#include "race_fixture.hpp"

// The user's own programs as contestants of a race, in the window.
namespace clothlab::app::panels {
namespace {

using worker::SetSettings;
using worker::StartRace;

class RaceProgramsTest : public RacePanelTest {
protected:
    void SetUp() override {
        RacePanelTest::SetUp();
        model.racing.programs = {{.program = {.name = "my icc", .command = "icc {dir}"}},
                                 {.program = {.name = "other", .command = "other {dir}"}}};
        frames(2);
    }
    /// Adds a row of the first program, with the values that it claims.
    void raceIt() {
        auto& r = progress.result;
        r.field.push_back({.program = model.racing.programs[0].program});
        experiments::RaceRow its = row(r.field.size() - 1, 1e-3, solvers::SolveStatus::Converged, 1, 3);
        its.claimed = true;
        its.iterations = 40;
        its.processMs = 250;
        its.multiplyMs = experiments::kNoValue;
        its.errors.clear();
        r.rows.push_back(its);
        frames(3);
    }
    std::vector<std::string> namesAsked() {
        click(at("race/start"));
        std::vector<std::string> names;
        for (const experiments::Program& program : posted<StartRace>()->options.programs) names.push_back(program.name);
        return names;
    }
    const std::string id = "race/row/program+my+icc";
};

TEST_F(RaceProgramsTest, NoneRunsUnlessItIsTicked) {
    EXPECT_EQ(namesAsked(), std::vector<std::string>());
    click(at("race/with/my+icc"));
    EXPECT_EQ(namesAsked(), std::vector<std::string>{"my icc"});
    EXPECT_EQ(posted<StartRace>()->options.programs[0].command, "icc {dir}");
    click(at("race/with/my+icc"));
    EXPECT_EQ(namesAsked(), std::vector<std::string>());
}

TEST_F(RaceProgramsTest, ARaceOfSomeRowsHasThoseThatAreTicked) {
    model.racing.names = {"incomplete-cholesky", "my icc"};
    EXPECT_EQ(namesAsked(), std::vector<std::string>());
    EXPECT_EQ(posted<StartRace>()->options.names, std::vector<std::string>{"incomplete-cholesky"});
    model.racing.names = {"incomplete-cholesky", "my icc"};
    model.racing.programs[1].ticked = true;
    EXPECT_EQ(namesAsked(), std::vector<std::string>{"other"});
    EXPECT_EQ(posted<StartRace>()->options.names, (std::vector<std::string>{"incomplete-cholesky", "other"}));
}

TEST_F(RaceProgramsTest, ItsRowHasNoRankAndItsTimesAreMarkedAsItsOwn) {
    ImGui::GetIO().DisplaySize = {2400, 900};
    raceIt();
    EXPECT_EQ(ui->layout().wordsAt(id + "/rank"), "-");
    EXPECT_NE(ui->layout().wordsAt(id + "/total").find("(as it says)"), std::string::npos);
    EXPECT_NE(ui->layout().wordsAt("race/row/" + jacobi + "/rank"), "-");
    EXPECT_EQ(ui->layout().wordsAt("race/row/" + jacobi + "/total").find("(as it says)"), std::string::npos);
}

// Two iterates of a program are known, the first and the last; the program reports how many are between them.
TEST_F(RaceProgramsTest, ItsLineIsInThePicturesOfTheBundle) {
    raceIt();
    model.racing.folder = progress.saved = "somewhere";
    frames(2);
    ASSERT_EQ(model.racing.pictures.size(), 3u);
    for (const std::size_t picture : {0, 1})  // over iterations, over time
        EXPECT_NE(model.racing.pictures[picture].second.find("my icc (a program)"), std::string::npos) << picture;
    EXPECT_EQ(progress.result.rows.back().iterationsAt(1), 40);
}

TEST_F(RaceProgramsTest, AClickOnItsRowMovesNoSetting) {
    raceIt();
    const auto before = model.settings;
    click(at(id, 0.1f));
    EXPECT_EQ(model.settings.solver, before.solver);
    EXPECT_EQ(model.settings.preconditioner, before.preconditioner);
    EXPECT_EQ(posted<SetSettings>(), nullptr);
}

}  // namespace
}  // namespace clothlab::app::panels

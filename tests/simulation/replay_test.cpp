#include "simulation/recording.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

/// Lines of a recording that do not fit the loaded scene are refused with a message when they are applied.
namespace clothlab::simulation {
namespace {

constexpr const char* kSmallScene = R"({"load":{"name":"a","scene":"[cloth]\nrows=3\ncolumns=3\n"}})";
constexpr const char* kLargeScene = R"({"load":{"name":"b","scene":"[cloth]\nrows=20\ncolumns=20\n"}})";
constexpr const char* kMovedScene = R"({"load":{"name":"a","scene":"[cloth]\nrows=3\ncolumns=3\norigin=[0,5,0]\n"}})";

/// Returns the message that ends the replay, or empty; sets `steps` to the number of steps taken.
std::string replayed(const std::vector<std::string>& lines, std::int64_t* steps = nullptr) {
    std::string text = recordingHead() + "\n";
    for (const std::string& line : lines) text += line + "\n";
    auto recording = readRecording(text, "it.clothrec");
    EXPECT_TRUE(recording) << recording.error().text();
    if (!recording) return "";
    Replay replay(std::move(recording->events));
    Session session(1);
    for (;;) {
        const auto more = replay.step(session, {});
        if (steps) *steps = replay.steps();
        if (!more) return more.error().text();
        if (!*more) return "";
    }
}

TEST(Replay, GoesBackOnlyToAMotionOfTheSameScene) {
    const char* kTwoSteps = R"({"steps":2})";
    const char* kKeep = R"({"keep":1})";
    for (const char* uses : {R"({"return":1})", R"({"pins_of":1})"}) {
        EXPECT_EQ(replayed({kSmallScene, kTwoSteps, kKeep, kTwoSteps, uses, kTwoSteps}), "") << uses;
        EXPECT_EQ(replayed({kSmallScene, kTwoSteps, kKeep, kSmallScene, uses, kTwoSteps}), "")
            << uses << ": the same scene, loaded again";
        for (const char* other : {kLargeScene, kMovedScene}) {
            std::int64_t steps = 0;
            const std::string why = replayed({kSmallScene, kTwoSteps, kKeep, other, uses, kTwoSteps}, &steps);
            EXPECT_NE(why.find("is of the scene a"), std::string::npos) << uses << ": " << why;
            EXPECT_EQ(steps, 2) << "no step is taken from a state that does not fit";
        }
    }
    // With `anew` the kept scene is built again, so that the motion always fits.
    EXPECT_EQ(
        replayed({kSmallScene, kTwoSteps, kKeep, kLargeScene, kTwoSteps, R"({"return":1,"anew":true})", kTwoSteps}),
        "");
}

TEST(Replay, NamesOnlyWhatIsThere) {
    for (const char* names : {R"({"hold":{"particle":9,"target":[0,0,0]}})", R"({"hold":{"solid":0,"target":[0,0,0]}})",
                              R"({"pin":{"particle":9,"ndof":0,"direction":[1,0,0],"velocity":[0,0,0],"from_s":0}})",
                              R"({"paint":[{"cloth":0,"particles":[9],"values":{}}]})",
                              R"({"paint":[{"cloth":1,"particles":[0],"values":{}}]})", R"({"seek":7})",
                              R"({"return":4})", R"({"pins_of":4})"})
        EXPECT_NE(replayed({kSmallScene, R"({"steps":1})", names}).find("does not fit"), std::string::npos) << names;
}

TEST(Replay, PassesOverSettingsOfEarlierVersions) {
    std::int64_t steps = 0;
    EXPECT_EQ(
        replayed({kSmallScene, R"({"set":{"fast_mass_spring.factor_change":"row-update"}})", R"({"steps":2})"}, &steps),
        "");
    EXPECT_EQ(steps, 2);
    EXPECT_FALSE(readRecording(
        recordingHead() + "\n" + kSmallScene + "\n" + R"({"set":{"fast_mass_spring.no_such":"1"}})" + "\n",
        "it.clothrec"));
}

// Every kind of line as the first version wrote it is read, applied, and written as the same text.
TEST(Replay, DoesWhatWasRecordedBefore) {
    const std::vector<std::string> lines = {
        kSmallScene,
        R"({"set":{"solver.kind":"mpcg","material.stretch_stiffness":"600"}})",
        R"({"steps":2})",
        R"({"hold":{"particle":4,"target":[0.1,0.2,0.3]}})",
        R"({"pin":{"particle":5,"ndof":1,"direction":[0.0,1.0,0.0],"velocity":[0.0,0.2,0.0],"from_s":0.02}})",
        R"({"steps":1})",
        R"({"hold":null})",
        R"({"unpin":5})",
        R"({"keep":1})",
        R"({"cut":{"eye":[0.5,2.0,2.0],"from":[-0.4,-2.0,-1.9],"to":[0.4,-2.0,-1.9]}})",
        R"({"ball":{"from":[0.0,1.0,1.0],"radius":0.05,"mass":0.1,"velocity":[0.0,0.0,-2.0]}})",
        R"({"hold":{"solid":0,"target":[0.0,1.0,1.0]}})",
        R"({"paint":[{"cloth":0,"particles":[1,2],"values":{"stretch_stiffness":"5"}}]})",
        R"({"branch":{"solver.kind":"reduced-pcg"},"further":false})",
        R"({"adopt":true})",
        R"({"steps":2})",
        R"({"branch":null})",
        R"({"seek":4})",
        R"({"return":1,"anew":false})",
        R"({"restart":true})",
        R"({"pins_of":1})",
        R"({"return":1,"anew":true})",
        R"({"steps":1})"};
    std::int64_t steps = 0;
    EXPECT_EQ(replayed(lines, &steps), "");
    EXPECT_EQ(steps, 6);
    std::string text = recordingHead() + "\n";
    for (const std::string& line : lines) text += line + "\n";
    const auto recording = readRecording(text, "it.clothrec");
    ASSERT_TRUE(recording);
    ASSERT_EQ(recording->events.size(), lines.size());
    for (std::size_t k = 1; k < lines.size(); ++k) EXPECT_EQ(recordedLine(recording->events[k]), lines[k]);
    // The lines contain every kind of edit.
    std::set<std::size_t> kinds;
    for (const RecordedEvent& event : recording->events)
        if (const Edit* edit = std::get_if<Edit>(&event)) kinds.insert(edit->index());
    EXPECT_EQ(kinds.size(), std::variant_size_v<Edit>);
}

}  // namespace
}  // namespace clothlab::simulation

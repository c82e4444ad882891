#include "simulation/recording.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

/// Recordings that say what does not fit the scene that they meet: each is refused in words, when it is applied.
namespace clothlab::simulation {
namespace {

constexpr const char* kSmallScene = R"({"load":{"name":"a","scene":"[cloth]\nrows=3\ncolumns=3\n"}})";
constexpr const char* kLargeScene = R"({"load":{"name":"b","scene":"[cloth]\nrows=20\ncolumns=20\n"}})";
constexpr const char* kMovedScene = R"({"load":{"name":"a","scene":"[cloth]\nrows=3\ncolumns=3\norigin=[0,5,0]\n"}})";

/// What ends the replay, or empty; `steps` that were taken.
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
            << uses << ": loaded anew it is the same";
        for (const char* other : {kLargeScene, kMovedScene}) {
            std::int64_t steps = 0;
            const std::string why = replayed({kSmallScene, kTwoSteps, kKeep, other, uses, kTwoSteps}, &steps);
            EXPECT_NE(why.find("is of the scene a"), std::string::npos) << uses << ": " << why;
            EXPECT_EQ(steps, 2) << "nothing goes on from a state that does not fit";
        }
    }
    // Built anew it fits, whatever was there before.
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

}  // namespace
}  // namespace clothlab::simulation

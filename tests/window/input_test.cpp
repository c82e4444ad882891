#include <fmt/format.h>
#include <gtest/gtest.h>

#include "widgets/keys.hpp"
#include "window/input_script.hpp"
#include "window/view_controller.hpp"

namespace clothlab::app::window {

using widgets::Key;
using widgets::LayoutMap;
using worker::Snapshot;

namespace {

using Kind = InputEvent::Kind;

TEST(InputQueue, APressAndItsReleaseNeverShareAFrame) {
    InputQueue queue;
    queue.push(InputEvent::key(78, true));
    queue.push(InputEvent::key(78, false));
    queue.push(InputEvent::key(78, true));
    EXPECT_EQ(queue.takeFrame().size(), 1u);
    EXPECT_EQ(queue.takeFrame().size(), 1u);
    EXPECT_EQ(queue.takeFrame().size(), 1u);
    EXPECT_TRUE(queue.empty());
}

TEST(InputQueue, AClickIsWhereItWasAndMovesMerge) {
    InputQueue queue;
    for (int i = 0; i < 10; ++i) queue.push(InputEvent::move(float(i), 0));
    queue.push(InputEvent::button(0, true));
    queue.push(InputEvent::move(50, 0));
    const auto first = queue.takeFrame();
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0].x, 9);
    EXPECT_EQ(first[1].kind, Kind::Button);
    EXPECT_EQ(queue.takeFrame().front().x, 50);
}

TEST(InputQueue, AllThatWasTypedInAFrameIsTakenWhereATextFieldHasTheKeyboard) {
    const auto type = [](InputQueue& queue) {
        queue.push(InputEvent::key(int(Key::LeftShift), true));
        for (const char c : {'A', 'B'}) {
            queue.push(InputEvent::key(c, true));
            queue.push(InputEvent::character(c));
            queue.push(InputEvent::key(c, false));
        }
        queue.push(InputEvent::key(int(Key::LeftShift), false));
        queue.push(InputEvent::key('A', true));
        queue.push(InputEvent::character('a'));
        queue.push(InputEvent::key(int(Key::Enter), true));
        queue.push(InputEvent::key(int(Key::Enter), false));
        queue.push(InputEvent::character('z'));
    };
    InputQueue typing, free;
    type(typing);
    type(free);
    std::string taken;
    for (const InputEvent& event : typing.takeFrame(true))
        if (event.kind == Kind::Character) taken += char(event.code);
    EXPECT_EQ(taken, "ABa") << "up to Enter, which acts on the text before it";
    EXPECT_EQ(typing.takeFrame(true).size(), 1u) << "Enter is pressed";
    EXPECT_EQ(typing.takeFrame(true).size(), 1u) << "and released";
    EXPECT_EQ(typing.takeFrame(true).size(), 1u);
    EXPECT_TRUE(typing.empty());
    EXPECT_EQ(free.takeFrame().size(), 2u) << "elsewhere a key and its character come in different frames";
}

TEST(InputQueue, EventsKnowWhetherCtrlWasHeldThen) {
    InputQueue queue;
    queue.push(InputEvent::key(int(Key::LeftControl), true));
    queue.push(InputEvent::button(0, true));
    queue.push(InputEvent::key(int(Key::LeftControl), false));
    queue.push(InputEvent::button(0, false));
    bool pressed = false, released = true;
    while (!queue.empty())
        for (const auto& e : queue.takeFrame())
            if (e.kind == Kind::Button) (e.down ? pressed : released) = e.control;
    EXPECT_TRUE(pressed);
    EXPECT_FALSE(released);
}

TEST(InputScript, MistakesHaveTheirLine) {
    for (const auto& [text, line] : {std::pair{"frame 3\nmvoe 4 5\n", 2},
                                     {"move 4\n", 1},
                                     {"\n\ndown lefft", 3},
                                     {"key hyper", 1},
                                     {"wait steps", 1},
                                     {"frame x", 1},
                                     {"wait step three", 1}}) {
        const auto script = InputScript::parse(text, "hand.txt");
        ASSERT_FALSE(script.has_value()) << text;
        EXPECT_EQ(script.error().line, line) << text;
        EXPECT_EQ(script.error().file, "hand.txt");
    }
}

TEST(InputScript, NumbersAreFiniteAndWithinTheirRange) {
    for (const char* text : {"move nan nan",
                             "move 1 inf",
                             "move 1e6 0",
                             "frame nan",
                             "frame -1",
                             "frame 1.5",
                             "frame 99999999999999999999",
                             "after -5",
                             "wheel nan",
                             "wheel 1e9",
                             "wait time nan",
                             "wait time inf",
                             "wait time -1",
                             "wait step 1e300",
                             "wait playing 2",
                             "move particle -1",
                             "move particle 1.5",
                             "move particle 3 nan 0",
                             "move @solver.kind nan 0",
                             "move @",
                             "move 0x10 5",
                             "frame 3 move nan 4"}) {
        const auto script = InputScript::parse(text, "hand.txt");
        ASSERT_FALSE(script.has_value()) << text;
        EXPECT_EQ(script.error().line, 1) << text;
        EXPECT_FALSE(script.error().choices.empty()) << text;
    }
    EXPECT_TRUE(
        InputScript::parse("move -20 3.5\nmove @solver.kind 0.5 1.2\nmove particle 3 -60 4e1\nwait time 1.5\nwheel "
                           "-2\r\n\tframe 5 wheel 1 # x\n",
                           "x"));
}

TEST(InputScript, AMistakeOfTheRunNamesFileLineAndParticle) {
    auto script = InputScript::parse("\nmove particle 820\n", "hand.txt");
    ASSERT_TRUE(script.has_value());
    const Snapshot snapshot;
    const LayoutMap layout;
    InputQueue queue;
    const ScriptContext context{1, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
    EXPECT_EQ(script->advance(context, queue).problem, "hand.txt:2: nothing to point at: particle 820");
}

TEST(InputScript, AnActionIsOfTheRegisterAndHasAFrameOfItsOwn) {
    const auto wrong = InputScript::parse("frame 1\n  action race.opne\n", "hand.txt");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().text().substr(0, 45), "hand.txt:2:3: unknown action 'race.opne' (val");
    EXPECT_EQ(std::ranges::count(wrong.error().choices, "race.open"), 1);
    auto script = InputScript::parse("action race.open\naction panel.close\nquit\n", "hand.txt");
    ASSERT_TRUE(script.has_value());
    const Snapshot snapshot;
    const LayoutMap layout;
    InputQueue queue;
    const ScriptContext context{1, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
    for (const char* action : {"race.open", "panel.close"}) {
        const ScriptRequest request = script->advance(context, queue);
        EXPECT_EQ(request.action, action);
        EXPECT_FALSE(request.quit);
    }
    EXPECT_EQ(script->at(2, "refused"), "hand.txt:2: refused");
    EXPECT_TRUE(script->advance(context, queue).quit);
}

TEST(InputScript, ASettingIsCheckedWhereItIsReadAndHasAFrameOfItsOwn) {
    for (const char* wrong :
         {"set integrator.kind=newton", "set integrator.dd=1", "set cloth.rows=5", "set integrator.dt=-1"}) {
        const auto script = InputScript::parse(fmt::format("key a\n  {}\n", wrong), "hand.txt");
        ASSERT_FALSE(script) << wrong;
        EXPECT_TRUE(script.error().text().starts_with("hand.txt:2:3: ")) << script.error().text();
    }
    auto script = InputScript::parse("set integrator.dt=0.01\nkey a\n", "hand.txt");
    ASSERT_TRUE(script);
    const Snapshot snapshot;
    const LayoutMap layout;
    InputQueue queue;
    const ScriptContext context{1, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
    const ScriptRequest request = script->advance(context, queue);
    EXPECT_EQ(request.setting, "integrator.dt=0.01");
    EXPECT_EQ(request.line, 1);
    EXPECT_TRUE(queue.empty());
}

TEST(InputScript, WaitsForFramesAndSteps) {
    auto script = InputScript::parse("frame 3 move 4 5  # there\ndown left\nwait steps 10\nup left\nquit\n", "x");
    ASSERT_TRUE(script.has_value());
    Snapshot snapshot;
    LayoutMap layout;
    InputQueue queue;
    const auto advance = [&](std::int64_t frame) {
        const ScriptContext context{
            frame, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
        ScriptRequest request = script->advance(context, queue);
        while (!queue.empty()) queue.takeFrame();
        return request;
    };
    advance(2);
    EXPECT_FALSE(script->finished());
    for (std::int64_t f = 3; f < 20; ++f) EXPECT_FALSE(advance(f).quit) << "ten steps have not passed";
    snapshot.step = 10;
    bool quit = false;
    for (std::int64_t f = 20; f < 30; ++f) quit |= advance(f).quit;
    EXPECT_TRUE(quit);
    EXPECT_TRUE(script->finished());
}

}  // namespace
}  // namespace clothlab::app::window

#include "window/preferences.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "scratch_folder.hpp"

namespace clothlab::app::window {
namespace {

using widgets::ThemeKind;

class MemoryTest : public ::testing::Test {
protected:
    /// A session of the window: it reads the file into size and model, and writes their changes to it.
    struct Session {
        explicit Session(const std::string& path) : preferences(path) {
            describeLooks(size, model, looks);
            preferences.recall(looks);
            preferences.begin(looks);
        }
        Preferences preferences;
        WindowSize size;
        model::UiModel model;
        FieldList looks;
    };
    void write(const std::string& text) {
        std::filesystem::create_directories(folder.file("clothlab"));
        std::ofstream(path) << text;
    }
    std::string content() const {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }

    tests::ScratchFolder folder;
    const std::string path = folder.file("clothlab/window.json");
};

TEST_F(MemoryTest, WhatIsChangedIsThereTheNextTime) {
    {
        Session first(path);
        EXPECT_TRUE(first.preferences.isNew());
        EXPECT_NE(first.preferences.place().find("window.json"), std::string::npos);
        EXPECT_TRUE(first.preferences.isNew());
        EXPECT_EQ(first.preferences.problem(), "");
        ASSERT_TRUE(first.preferences.store(first.looks));
        EXPECT_EQ(content(), "") << "nothing was changed";
        first.model.looks.theme = ThemeKind::Light;
        first.size = {1440, 900};
        first.preferences.addRecent("mine.toml");
        first.preferences.addRecent("other.toml");
        first.preferences.addRecent("mine.toml");
        ASSERT_TRUE(first.preferences.store(first.looks));
    }
    Session second(path);
    EXPECT_EQ(second.preferences.problem(), "");
    EXPECT_FALSE(second.preferences.isNew());
    EXPECT_EQ(second.model.looks.theme, ThemeKind::Light);
    EXPECT_EQ(second.size.width, 1440);
    EXPECT_EQ(second.size.height, 900);
    ASSERT_EQ(second.preferences.recent().size(), 2u);
    EXPECT_EQ(second.preferences.recent()[0], (std::filesystem::current_path() / "mine.toml").string());
    for (int n = 0; n < 20; ++n) second.preferences.addRecent("scene" + std::to_string(n) + ".toml");
    EXPECT_EQ(second.preferences.recent().size(), 6u);
}

TEST_F(MemoryTest, WhatTheCommandLineSaysIsNotRemembered) {
    write(R"({"version": 1, "theme": "light", "width": 1440, "height": 900})");
    Session session(path);
    session.model.looks.theme = ThemeKind::Dark;
    session.size = {800, 600};
    session.preferences.begin(session.looks);  // the values of the options
    session.size.height = 700;                 // a later change by the user
    ASSERT_TRUE(session.preferences.store(session.looks));
    Session next(path);
    EXPECT_EQ(next.model.looks.theme, ThemeKind::Light);
    EXPECT_EQ(next.size.width, 1440);
    EXPECT_EQ(next.size.height, 700);
}

TEST_F(MemoryTest, TheUsualLooksComeBackAndTheFileIsNew) {
    write(R"({"version": 1, "theme": "light", "width": 1440, "recent": ["/a.toml"]})");
    Session session(path);
    ASSERT_EQ(session.model.looks.theme, ThemeKind::Light);
    ASSERT_TRUE(session.preferences.forget(session.looks));
    EXPECT_EQ(session.model.looks.theme, ThemeKind::Dark);
    EXPECT_EQ(session.size.width, 0);
    EXPECT_TRUE(session.preferences.recent().empty());
    EXPECT_EQ(content(), "{\n  \"version\": 1\n}\n");
    session.model.looks.theme = ThemeKind::Light;
    ASSERT_TRUE(session.preferences.store(session.looks));
    EXPECT_EQ(Session(path).model.looks.theme, ThemeKind::Light);
}

TEST_F(MemoryTest, ABrokenFileIsSaidAndStaysUntilTheUsualLooksAreAskedFor) {
    const char* broken[] = {"{\"version\": 1, \"theme\": \"light\"",
                            "",
                            "[1]",
                            "{\"version\": 2}",
                            "{}",
                            "{\"version\": \"1\"}",
                            "{\"version\": 1, \"recent\": [3]}",
                            "{\"version\": 1, \"theme\": \"light\", \"theme\": \"dark\"}",
                            "\xff\xfe"};
    for (const char* text : broken) {
        write(text);
        Session session(path);
        EXPECT_NE(session.preferences.problem(), "") << text;
        EXPECT_NE(session.preferences.problem().find("window.json"), std::string::npos)
            << session.preferences.problem();
        EXPECT_NE(session.preferences.problem().find("Reset appearance"), std::string::npos)
            << session.preferences.problem();
        EXPECT_EQ(session.model.looks.theme, ThemeKind::Dark) << text;
        session.model.looks.theme = ThemeKind::Light;
        ASSERT_TRUE(session.preferences.store(session.looks));
        EXPECT_EQ(content(), text) << "not lost";
        ASSERT_TRUE(session.preferences.forget(session.looks));
        EXPECT_EQ(Session(path).preferences.problem(), "") << text;
    }
}

TEST_F(MemoryTest, AValueThatAKeyCannotHaveIsSaidAndTheOthersServe) {
    for (const char* value : {"\"purple\"", "3", "true", "null", "[\"light\"]", "{\"a\": 1}"}) {
        write(std::string("{\"version\": 1, \"width\": 1440, \"theme\": ") + value + ", \"unknown\": 7}");
        Session session(path);
        EXPECT_NE(session.preferences.problem(), "") << value;
        EXPECT_NE(session.preferences.problem().find("'theme' can be dark, light"), std::string::npos)
            << session.preferences.problem();
        EXPECT_EQ(session.model.looks.theme, ThemeKind::Dark);
        EXPECT_EQ(session.size.width, 1440);
    }
    for (const char* value : {"-5", "1e9", "1.5", "\"wide\"", "1e300"}) {
        write(std::string("{\"version\": 1, \"theme\": \"light\", \"width\": ") + value + "}");
        Session session(path);
        EXPECT_NE(session.preferences.problem(), "") << value;
        EXPECT_EQ(session.size.width, 0) << value;
        EXPECT_EQ(session.model.looks.theme, ThemeKind::Light);
    }
}

TEST_F(MemoryTest, WhereNothingCanBeWrittenItSaysSoAndGoesOn) {
    // First a file in place of the folder, then a folder in place of the file.
    std::ofstream(folder.file("clothlab")) << "a file";
    {
        Session session(path);
        EXPECT_NE(session.preferences.problem(), "");
        session.model.looks.theme = ThemeKind::Light;
        EXPECT_TRUE(session.preferences.store(session.looks)) << "reported once, at the start";
        EXPECT_FALSE(session.preferences.forget(session.looks));
        EXPECT_EQ(session.model.looks.theme, ThemeKind::Dark) << "the usual looks come back nevertheless";
    }
    std::filesystem::remove(folder.file("clothlab"));
    std::filesystem::create_directories(path);
    EXPECT_NE(Session(path).preferences.problem(), "");
    std::filesystem::remove_all(path);
    if (geteuid() == 0) return;  // root may write everything
    write(R"({"version": 1, "theme": "light"})");
    chmod(path.c_str(), 0444);
    Session session(path);
    EXPECT_NE(session.preferences.problem(), "");
    EXPECT_NE(session.preferences.problem().find("not remembered"), std::string::npos) << session.preferences.problem();
    EXPECT_EQ(session.model.looks.theme, ThemeKind::Light) << "the file is read";
    session.model.looks.theme = ThemeKind::Dark;
    EXPECT_TRUE(session.preferences.store(session.looks));
    EXPECT_EQ(content(), R"({"version": 1, "theme": "light"})");
}

TEST_F(MemoryTest, WithoutAFileNothingIsReadOrWritten) {
    Preferences none;
    model::UiModel model;
    WindowSize size;
    FieldList looks;
    describeLooks(size, model, looks);
    none.recall(looks);
    none.begin(looks);
    model.looks.theme = ThemeKind::Light;
    EXPECT_TRUE(none.store(looks));
    EXPECT_EQ(none.problem(), "");
    EXPECT_TRUE(none.forget(looks));
    EXPECT_EQ(model.looks.theme, ThemeKind::Dark);
}

TEST_F(MemoryTest, TheFileIsInTheUsersFolder) {
    const auto kept = [](const char* name) {
        return std::getenv(name) ? std::string(std::getenv(name)) : std::string();
    };
    const std::string config = kept("XDG_CONFIG_HOME"), home = kept("HOME");
    setenv("XDG_CONFIG_HOME", "/x", 1);
    setenv("HOME", "/h", 1);
    EXPECT_EQ(Preferences::usersFile(), "/x/clothlab/window.json");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    EXPECT_EQ(Preferences::usersFile(), "/h/.config/clothlab/window.json");
    unsetenv("HOME");
    EXPECT_EQ(Preferences::usersFile(), "");
    EXPECT_NE(Preferences("").problem(), "");
    unsetenv("XDG_CONFIG_HOME");
    if (!config.empty()) setenv("XDG_CONFIG_HOME", config.c_str(), 1);
    if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace clothlab::app::window

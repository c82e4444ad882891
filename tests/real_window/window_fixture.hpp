#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsed_json.hpp"

namespace clothlab::app::window {

/// One virtual display for all tests of the binary.
class VirtualDisplay {
public:
    VirtualDisplay();
    ~VirtualDisplay();
    const std::string& name() const { return name_; }  ///< ":93", or empty when Xvfb is missing

private:
    int process_ = -1;
    std::string name_;
};

/// The real program in a real window on that display, controlled by an input script.
class WindowTest : public ::testing::Test {
protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();
    void SetUp() override;
    void TearDown() override;  ///< keeps the folder of a test that failed

    /// Runs the program until it ends and returns its exit code; -1 if it had to be killed. In `script`, the word DIR
    /// stands for this test's folder.
    int run(std::string script, std::vector<std::string> arguments = {}, bool display = true);
    tests::ParsedJson state(const std::string& name) const;
    std::string folder() const { return folder_; }
    std::string errors() const;

private:
    std::string folder_;
};

/// A scene with fast steps in a small window.
inline const std::vector<std::string> kSmall{"hang",          "--size", "900x640",         "--set",
                                             "cloth.rows=21", "--set",  "cloth.columns=21"};

}  // namespace clothlab::app::window

#include <gtest/gtest.h>

#include "app/program.hpp"

// CMake must name all missing libraries at once: not every user has apt.
namespace clothlab::tests {
namespace {

TEST(Configure, NamesAllThatIsMissingInOneMessage) {
    const ScratchFolder folder;
    const std::string log = folder.file("log");
    std::string command = "cmake -G Ninja -S '" CLOTHLAB_SOURCE_DIR "' -B '" + folder.file("build") + "'";
    for (const char* name : {"Eigen3", "CHOLMOD", "glfw3", "Libdeflate", "GTest"})
        command += std::string(" -DCMAKE_DISABLE_FIND_PACKAGE_") + name + "=ON";
    command += " >'" + log + "' 2>&1";
    EXPECT_NE(std::system(command.c_str()), 0);
    const std::string said = *readFile(log);
    EXPECT_EQ(said.find("CMake Error"), said.rfind("CMake Error")) << said;
    for (const char* line : {"Eigen: 3.4; Debian: libeigen3-dev", "SuiteSparse 5.12 or 7.10", "GLFW: 3.3 or 3.4;",
                             "libdeflate: 1.14 or 1.23;", "GoogleTest: 1.12 or 1.16;"})
        EXPECT_TRUE(says(said, line)) << line << "\n" << said;
    EXPECT_FALSE(says(said, "fmt: 9.1")) << "libraries that are present are not named";
    EXPECT_TRUE(says(said, "libeigen3-dev libsuitesparse-dev libopenblas-dev")) << "one line for apt\n" << said;
}

}  // namespace
}  // namespace clothlab::tests

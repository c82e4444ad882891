#include "window_fixture.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace clothlab::app::window {
namespace {

std::unique_ptr<VirtualDisplay> virtualDisplay;

std::string readAll(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
    int pipe[2];
    if (::pipe(pipe) != 0) return;
    process_ = fork();
    if (process_ == 0) {
        close(pipe[0]);
        const int silence = open("/dev/null", O_WRONLY);
        dup2(silence, 1);
        dup2(silence, 2);
        const std::string fd = std::to_string(pipe[1]);
        execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "1920x1080x24", "-nolisten", "tcp", nullptr);
        _exit(127);
    }
    close(pipe[1]);
    char digit = 0;
    while (read(pipe[0], &digit, 1) == 1 && digit != '\n') name_ += digit;
    close(pipe[0]);
    if (!name_.empty()) name_ = ":" + name_;
}

VirtualDisplay::~VirtualDisplay() {
    if (process_ <= 0) return;
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
}

void WindowTest::SetUpTestSuite() {
    if (!virtualDisplay) virtualDisplay = std::make_unique<VirtualDisplay>();
}

void WindowTest::TearDownTestSuite() { virtualDisplay.reset(); }

void WindowTest::SetUp() {
    ASSERT_FALSE(virtualDisplay->name().empty()) << "Xvfb did not start; is it installed? apt-get install xvfb";
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        (std::filesystem::temp_directory_path() / ("clothlab-window-" + std::to_string(getpid()) + "-" + info->name()))
            .string();
    std::filesystem::create_directories(folder_);
}

void WindowTest::TearDown() {
    if (!HasFailure() && !folder_.empty()) std::filesystem::remove_all(folder_);
}

int WindowTest::run(std::string script, std::vector<std::string> arguments, bool display) {
    for (std::size_t at = script.find("DIR"); at != std::string::npos; at = script.find("DIR", at))
        script.replace(at, 3, folder_);
    std::ofstream(folder_ + "/hand.txt") << script;
    std::vector<std::string> words{CLOTHLAB_PROGRAM, "view"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    for (const char* word : {"--threads", "1"}) words.emplace_back(word);
    words.insert(words.end(), {"--input", folder_ + "/hand.txt", "--state", folder_ + "/last.json"});
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    const pid_t child = fork();
    if (child == 0) {
        if (display)
            setenv("DISPLAY", virtualDisplay->name().c_str(), 1);
        else
            unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
        const int file = open((folder_ + "/stderr.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, 2);
        execv(argv[0], argv.data());
        _exit(127);
    }
    // The limit only ends a test that hangs: no result depends on time.
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(300);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > limit) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            ADD_FAILURE() << "the window did not end; last state:\n" << readAll(folder_ + "/last.json") << errors();
            return -1;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

tests::ParsedJson WindowTest::state(const std::string& name) const {
    return tests::ParsedJson(readAll(folder_ + "/" + name));
}

std::string WindowTest::errors() const { return readAll(folder_ + "/stderr.txt"); }

}  // namespace clothlab::app::window

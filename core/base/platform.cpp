#include "base/platform.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

namespace clothlab::platform {
namespace {

std::string userFolder(const char* variable, const char* inHome) {
    if (const char* folder = std::getenv(variable); folder && *folder == '/') return folder;
    if (const char* home = std::getenv("HOME"); home && *home == '/') return std::string(home) + inHome;
    return {};
}

}  // namespace

void restartWithFixedBlasKernels(char** argv) {
#ifdef __AVX2__
    constexpr const char* kVariable = "OPENBLAS_CORETYPE";
    constexpr std::string_view kKernels = "Haswell";
    if (const char* now = std::getenv(kVariable); now && now == kKernels) return;
    if (setenv(kVariable, kKernels.data(), 1) == 0) execv("/proc/self/exe", argv);
#else
    (void)argv;
#endif
}

void singleThreadedBlas() {
    const auto call = [](const char* name, int value) {
        if (auto* f = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, name))) f(value);
    };
    // Setting the number of OpenBLAS threads touches its global pool: once per process is enough and safe.
    static const bool once = (call("openblas_set_num_threads", 1), true);
    (void)once;
    thread_local const bool perThread = (call("omp_set_max_active_levels", 0), call("omp_set_num_threads", 1), true);
    (void)perThread;
}

void lowerThreadPriority(int steps) { setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), steps); }

void adviseLargePages(void* memory, std::size_t bytes) { madvise(memory, bytes, MADV_HUGEPAGE); }

int hardwareThreads() { return std::max(1, int(std::thread::hardware_concurrency())); }

void leaveThreadsBesideSoftwareGl() {
    setenv("LP_NUM_THREADS", std::to_string(std::max(1, hardwareThreads() / 2)).c_str(), 0);
}

std::string cpuName() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return {};
}

bool stderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

void onEndSignals(void (*handler)(int)) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = {};
        action.sa_handler = handler ? handler : SIG_DFL;
        sigaction(signal, &action, nullptr);
    }
}

std::string userCacheFolder() { return userFolder("XDG_CACHE_HOME", "/.cache"); }

std::string userConfigFolder() { return userFolder("XDG_CONFIG_HOME", "/.config"); }

std::string userDataFolder() { return userFolder("XDG_DATA_HOME", "/.local/share"); }

bool onPath(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (folder.empty() ? "." : folder) + "/" + program;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) return true;
    }
    return false;
}

std::string programFolder() {
    char buffer[4096];
    const ssize_t n = readlink("/proc/self/exe", buffer, sizeof buffer);
    if (n <= 0) return {};
    const std::string path(buffer, std::size_t(n));
    return path.substr(0, path.rfind('/'));
}

}  // namespace clothlab::platform

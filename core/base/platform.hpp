#pragma once

#include <cstddef>
#include <string>

/// Everything that asks the operating system for something other than C++ gives.
namespace clothlab::platform {

/// OpenBLAS chooses its kernels by the processor when it is loaded, and the last bits of CHOLMOD's factors depend on
/// them. So the program runs itself once more (exec) with OPENBLAS_CORETYPE set, and a motion has the same bits for
/// every user. The kernels are those for AVX2, which a v3 build needs anyway; a baseline build does nothing. Call this
/// first in main. It returns if the variable is set already or exec fails.
void restartWithFixedBlasKernels(char** argv);

/// Holds OpenBLAS to one thread and CHOLMOD's own OpenMP regions to none. OpenMP keeps the second setting per
/// thread: call it on every thread that factors or solves.
void singleThreadedBlas();

/// Lowers the priority of the calling thread, and of the threads it starts from now on, by so many steps of nice
/// (0..19).
void lowerThreadPriority(int steps);

/// Asks for large pages behind a range that is aligned to them; a wish, without a result.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;
void adviseLargePages(void* memory, std::size_t bytes);

/// Hardware threads, at least 1.
int hardwareThreads();

/// Has Mesa's software GL draw with half of the hardware threads, so that a step has the others, unless the environment
/// says how many (LP_NUM_THREADS). Call it before there is a context or a second thread.
void leaveThreadsBesideSoftwareGl();

/// "Intel(R) Xeon(R) ..." or an empty string.
std::string cpuName();

/// Whether somebody reads stderr as it is written.
bool stderrIsTerminal();

/// Has SIGINT, SIGTERM and SIGHUP call the handler, or, when it is null, end the program as they do by themselves. What
/// the program was started to ignore (nohup) stays ignored. A read or a write that waits is not taken up again after
/// the handler.
void onEndSignals(void (*handler)(int));

/// Where programs keep what they can make again (XDG_CACHE_HOME, or .cache of the home folder), without a trailing
/// slash; empty when the environment says neither.
std::string userCacheFolder();

/// Where programs keep what a user has set in them (XDG_CONFIG_HOME, or .config of the home folder), likewise.
std::string userConfigFolder();
/// The same of what the user has made: XDG_DATA_HOME, or ~/.local/share.
std::string userDataFolder();

/// Whether a folder of PATH has a program of this name that may be run.
bool onPath(const std::string& program);

/// Folder of the running program, without a trailing slash; empty when unknown.
std::string programFolder();

}  // namespace clothlab::platform

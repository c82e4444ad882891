#pragma once

#include <cstddef>
#include <string>

/// Operating system services beyond the C++ library.
namespace clothlab::platform {

/// OpenBLAS chooses its kernels by the processor when it is loaded, and the last bits of CHOLMOD's factors depend on
/// them. So the program restarts itself once (exec) with OPENBLAS_CORETYPE set, and a motion has the same bits for
/// every user. The kernels are those for AVX2, which a v3 build needs anyway; a baseline build does nothing. Call this
/// first in main. It returns if the variable is set already or exec fails.
void restartWithFixedBlasKernels(char** argv);

/// Limits OpenBLAS and CHOLMOD's own OpenMP regions to one thread. OpenMP keeps the second setting per
/// thread: call it on every thread that factors or solves.
void singleThreadedBlas();

/// Lowers the priority of the calling thread, and of threads it starts later, by this many steps of nice (0..19).
void lowerThreadPriority(int steps);

/// Requests large pages for a range aligned to them; a hint that may have no effect.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;
void adviseLargePages(void* memory, std::size_t bytes);

/// Hardware threads, at least 1.
int hardwareThreads();

/// Has Mesa's software GL draw with half of the hardware threads, which leaves the others to the step, unless
/// LP_NUM_THREADS is set. Call it before there is a context or a second thread.
void leaveThreadsBesideSoftwareGl();

/// "Intel(R) Xeon(R) ..." or an empty string.
std::string cpuName();

/// Whether stderr is a terminal.
bool stderrIsTerminal();

/// Has SIGINT, SIGTERM and SIGHUP call the handler or, if it is null, end the program as by default. Signals that were
/// ignored at the start (nohup) stay ignored. A blocking read or write is not restarted after the handler.
void onEndSignals(void (*handler)(int));

/// The folder for data that programs can recreate (XDG_CACHE_HOME, or .cache of the home folder), without a trailing
/// slash; empty if the environment names neither.
std::string userCacheFolder();

/// The folder for settings of the user (XDG_CONFIG_HOME, or .config of the home folder), likewise.
std::string userConfigFolder();
/// Likewise for the user's own data: XDG_DATA_HOME, or ~/.local/share.
std::string userDataFolder();

/// Whether a folder of PATH has a program of this name that may be run.
bool onPath(const std::string& program);

/// Folder of the running program, without a trailing slash; empty when unknown.
std::string programFolder();

}  // namespace clothlab::platform

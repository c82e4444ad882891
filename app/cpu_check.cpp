// The whole program is built for x86-64-v3, static initializers included: on an older processor it would die of an
// illegal instruction before main. So this one file is built for the baseline and runs first (constructors of
// priority 101 run before those of ordinary globals). It calls libc alone: a template or an inline function of the
// C++ library could be merged with a copy that another file compiled with AVX.
#include <cstdio>
#include <cstdlib>

namespace {

using Feature = const char*;

// GCC's __builtin_cpu_supports also asks the operating system (XGETBV) whether the wide registers are kept.
int missingFeatures(Feature (&missing)[6]) {
    int count = 0;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) missing[count++] = "AVX2";
    if (!__builtin_cpu_supports("fma")) missing[count++] = "FMA";
    if (!__builtin_cpu_supports("bmi")) missing[count++] = "BMI1";
    if (!__builtin_cpu_supports("bmi2")) missing[count++] = "BMI2";
#ifndef __clang__  // which does not know the level
    // F16C, LZCNT and MOVBE complete the level; the level as a whole covers them.
    if (count == 0 && !__builtin_cpu_supports("x86-64-v3"))
        missing[count++] = "part of x86-64-v3 (F16C, LZCNT or MOVBE)";
#endif
    return count;
}

__attribute__((constructor(101))) void checkCpu() {
    Feature missing[6];
    const int count = missingFeatures(missing);
    if (count == 0) return;
    std::fputs("clothlab: this build needs an x86-64-v3 processor; missing here:", stderr);
    for (int i = 0; i < count; ++i) std::fprintf(stderr, "%s %s", i == 0 ? "" : ",", missing[i]);
    std::fputs(
        "\nA build for any processor: cmake --preset release -DCLOTHLAB_ARCH=baseline && cmake --build --preset "
        "release\n",
        stderr);
    std::_Exit(2);
}

}  // namespace

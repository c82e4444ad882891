include_guard(GLOBAL)

# clothlab_cpu_check: one object built for the baseline, which refuses a processor that the rest of the program cannot
# run on. Link it into each program: target_link_libraries(<program> PRIVATE clothlab_cpu_check). With another
# CLOTHLAB_ARCH there is nothing to check and the target is empty.
if(CLOTHLAB_ARCH STREQUAL "v3")
  add_library(clothlab_cpu_check OBJECT "${CMAKE_CURRENT_LIST_DIR}/cpu_check.cpp")
  # Not clothlab_options: it carries -march=x86-64-v3, and sanitizers whose runtime is not up yet.
  target_compile_options(clothlab_cpu_check PRIVATE -march=x86-64 -fno-lto)
else()
  add_library(clothlab_cpu_check INTERFACE)
endif()

include_guard(GLOBAL)

# clothlab_cpu_check: one object, built for the baseline, that ends the program on a processor without its instructions.
# Link it into each program: target_link_libraries(<program> PRIVATE clothlab_cpu_check). With another CLOTHLAB_ARCH
# there is nothing to check and the target is empty.
if(CLOTHLAB_ARCH STREQUAL "v3")
  add_library(clothlab_cpu_check OBJECT "${CMAKE_CURRENT_LIST_DIR}/cpu_check.cpp")
  # Not clothlab_options: they have -march=x86-64-v3, and sanitizers whose runtime has not started yet.
  target_compile_options(clothlab_cpu_check PRIVATE -march=x86-64 -fno-lto)
else()
  add_library(clothlab_cpu_check INTERFACE)
endif()

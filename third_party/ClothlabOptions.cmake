include_guard(GLOBAL)

# Flags of all our targets, including the peers in bench. Without fast-math and contraction, the same build gives the
# same bits at any number of threads, and formulas are evaluated as written.
add_library(clothlab_options INTERFACE)
set(_arch_v3 -march=x86-64-v3)
set(_arch_native -march=native)
set(_arch_baseline "")
if(NOT CLOTHLAB_ARCH MATCHES "^(v3|native|baseline)$")
  message(FATAL_ERROR "CLOTHLAB_ARCH is '${CLOTHLAB_ARCH}': it can be v3, baseline or native")
endif()
target_compile_options(clothlab_options INTERFACE ${_arch_${CLOTHLAB_ARCH}} -ffp-contract=off)
# The libraries are also part of the Python module, a shared object. Its own functions can be inlined as in a program,
# because none of them can be replaced at load time.
target_compile_options(clothlab_options INTERFACE -fPIC -fno-semantic-interposition)
target_compile_definitions(clothlab_options INTERFACE CLOTHLAB_ARCH="${CLOTHLAB_ARCH}")

if(CLOTHLAB_SANITIZE)
  string(REPLACE "," ";" _sanitizers "${CLOTHLAB_SANITIZE}")
  list(TRANSFORM _sanitizers PREPEND "-fsanitize=")
  target_compile_options(clothlab_options INTERFACE ${_sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(CLOTHLAB_SANITIZE MATCHES "undefined")
    # One check per access in all of Eigen: they lengthen a compile from 15 s to minutes, and the address sanitizer finds
    # the same errors.
    target_compile_options(clothlab_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  if(CLOTHLAB_FUZZ)
    target_compile_options(clothlab_options INTERFACE -fsanitize=fuzzer-no-link)
  endif()
  target_link_options(clothlab_options INTERFACE ${_sanitizers})
endif()

add_library(clothlab_warnings INTERFACE)
target_compile_options(clothlab_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                                   -Wno-psabi -Wno-missing-field-initializers)

include_guard(GLOBAL)
# glad 2 fetches gl.xml from the network unless --reproducible is given; with it the packaged specification is used.
function(glad_gl_library target)  # glad_gl_library(glad_gl VERSION 4.1 EXTENSIONS GL_KHR_debug ...)
  cmake_parse_arguments(A "" "VERSION" "EXTENSIONS" ${ARGN})
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/glad-${target}")
  list(JOIN A_EXTENSIONS "," exts)
  add_custom_command(
    OUTPUT "${dir}/src/gl.c" "${dir}/include/glad/gl.h" "${dir}/include/KHR/khrplatform.h"
    COMMAND ${CMAKE_COMMAND} -E env --unset=PYTHONPATH --unset=PYTHONHOME
            "${GLAD_EXECUTABLE}" --quiet --reproducible
            --api "gl:core=${A_VERSION}" "--extensions=${exts}" --out-path "${dir}" c
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "glad: GL ${A_VERSION} core loader" VERBATIM)
  add_library(${target} STATIC "${dir}/src/gl.c")
  target_include_directories(${target} SYSTEM PUBLIC "${dir}/include")
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()

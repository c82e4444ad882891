include_guard(GLOBAL)

# clothlab_build_facts(<template> <header>): writes what `--version` reports about this build into the build tree.
function(clothlab_build_facts template header)
  set(names Eigen CHOLMOD fmt toml++ nlohmann/json CLI11 GLFW glm "Dear ImGui")
  set(packages Eigen3 CHOLMOD fmt tomlplusplus nlohmann_json CLI11 glfw3 glm ImGui)
  set(CLOTHLAB_BUILD_DEPENDENCIES "")
  foreach(name package IN ZIP_LISTS names packages)
    if(${package}_FOUND)
      string(APPEND CLOTHLAB_BUILD_DEPENDENCIES "{\"${name}\", \"${${package}_VERSION}\"}, ")
    endif()
  endforeach()
  configure_file("${template}" "${header}" @ONLY)
endfunction()

# The page of `ugoki view`: built from viewer/ by node, then part of the program.
#   AUTO  built where node and viewer/node_modules are there; else `view` says what is missing
#   ON    an error where they are not
#   OFF   never
# To try a machine without node: -DNODE_EXECUTABLE=
set(UGOKI_VIEWER AUTO CACHE STRING "Build the page of `ugoki view` (needs node): AUTO, ON or OFF")
set_property(CACHE UGOKI_VIEWER PROPERTY STRINGS AUTO ON OFF)

# ug_viewer(TARGET): put script and style sheet into a target that has page.c
function(ug_viewer target)
  if(UGOKI_VIEWER STREQUAL "OFF")
    return()
  endif()
  set(viewer ${PROJECT_SOURCE_DIR}/viewer)
  find_program(NODE_EXECUTABLE NAMES node nodejs)
  if(NOT NODE_EXECUTABLE OR NOT EXISTS ${viewer}/node_modules/esbuild OR NOT EXISTS ${viewer}/node_modules/three)
    if(UGOKI_VIEWER STREQUAL "ON")
      message(FATAL_ERROR "UGOKI_VIEWER=ON needs node and viewer/node_modules: run scripts/setup.sh --viewer")
    endif()
    message(STATUS "viewer: left out, node or viewer/node_modules is missing (scripts/setup.sh --viewer installs them)")
    return()
  endif()

  set(out ${CMAKE_CURRENT_BINARY_DIR}/viewer)
  file(GLOB sources CONFIGURE_DEPENDS ${viewer}/src/*.js)
  add_custom_command(OUTPUT ${out}/player.js ${out}/webgl.js ${out}/player.css
    COMMAND ${NODE_EXECUTABLE} ${viewer}/build.mjs ${out}
    DEPENDS ${sources} ${viewer}/style.css ${viewer}/build.mjs ${viewer}/package-lock.json
    COMMENT "Bundling the viewer" VERBATIM)
  # .incbin is a file that CMake does not see
  set(embed ${PROJECT_SOURCE_DIR}/pipeline/report/player.S)
  set_source_files_properties(${embed} PROPERTIES
    COMPILE_DEFINITIONS "UG_PLAYER_JS=\"${out}/player.js\";UG_PLAYER_WEBGL=\"${out}/webgl.js\";UG_PLAYER_CSS=\"${out}/player.css\""
    OBJECT_DEPENDS "${out}/player.js;${out}/webgl.js;${out}/player.css")
  target_sources(${target} PRIVATE ${embed})
  target_compile_definitions(${target} PRIVATE UG_HAVE_PLAYER=1)
endfunction()

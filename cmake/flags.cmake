# One set of warnings and sanitizers for every target of the tree.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_COMPILE_WARNING_AS_ERROR ${UG_WERROR})

# asserts stay on in a release: they cost nothing measurable outside kernels, which have none.
# Fortified everywhere, since Ubuntu's compiler is unasked: what it aborts on fails here as well.
# -O1 keeps the sanitizer build within its time.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O3 -g -fno-math-errno -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

add_library(ug_flags INTERFACE)
# H5_USE_110_API: libhdf5 1.12 and later hand callbacks other structures unless asked for those of 1.10
target_compile_definitions(ug_flags INTERFACE _GNU_SOURCE H5_USE_110_API)
target_compile_options(ug_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wundef -Wmissing-prototypes -Wstrict-prototypes
  -Wimplicit-fallthrough -Wfloat-conversion -ffp-contract=off)
if(UG_SANITIZE)
  add_compile_options(-fsanitize=${UG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${UG_SANITIZE})
endif()

# ug_room(motion LIBS …): one static library out of every .c file of a folder. A new file is
# picked up by the next build; nothing has to be listed twice.
function(ug_room folder)
  cmake_parse_arguments(ROOM "" "NAME" "PUBLIC;PRIVATE;INCLUDES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  if(NOT sources)
    file(WRITE ${CMAKE_BINARY_DIR}/empty_room.c "extern int ug_empty_room;\n")
    set(sources ${CMAKE_BINARY_DIR}/empty_room.c)
  endif()
  add_library(${ROOM_NAME} STATIC ${sources})
  target_include_directories(${ROOM_NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  target_include_directories(${ROOM_NAME} SYSTEM PRIVATE ${ROOM_INCLUDES})
  target_link_libraries(${ROOM_NAME} PUBLIC ${ROOM_PUBLIC} PRIVATE ug_flags ${ROOM_PRIVATE})
endfunction()

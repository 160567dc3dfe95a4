# Compiler settings that every target shares, as the interface target o2w_flags.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()
# No -march: a build must run on any machine of its architecture. Files that need more ask at run time.
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG -g1")

find_package(Threads REQUIRED)

add_library(o2w_flags INTERFACE)
target_include_directories(o2w_flags INTERFACE
    ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(o2w_flags INTERFACE _FILE_OFFSET_BITS=64
    $<$<PLATFORM_ID:Linux>:_GNU_SOURCE> $<$<PLATFORM_ID:Darwin>:_DARWIN_C_SOURCE>)
# Exact float semantics: a*b+c rounds twice everywhere, whatever the processor offers. Release binaries don't
# say where they were built.
target_compile_options(o2w_flags INTERFACE
    $<$<CONFIG:Release>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>
    -ffp-contract=off -fno-common -Wall -Wextra -Wconversion -Wshadow -Wswitch-enum
    -Wmissing-prototypes -Wvla)
target_link_libraries(o2w_flags INTERFACE Threads::Threads ${CMAKE_DL_LIBS}
    $<$<PLATFORM_ID:Linux>:m>)

if(O2W_WERROR)
    target_compile_options(o2w_flags INTERFACE -Werror)
endif()

if(O2W_SANITIZE)
    set(sanitize -fsanitize=${O2W_SANITIZE} -fno-omit-frame-pointer)
    if(O2W_SANITIZE MATCHES undefined)
        list(APPEND sanitize -fno-sanitize-recover=all)
    endif()
    target_compile_options(o2w_flags INTERFACE ${sanitize})
    target_link_options(o2w_flags INTERFACE ${sanitize})
endif()

# What the fuzzers steer by: without it only the targets' own files count.
if(O2W_FUZZERS)
    target_compile_options(o2w_flags INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(o2w_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

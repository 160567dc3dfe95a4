# Tests by folder: tests/unit/LAYER/test_NAME.c, tests/fuzz/LAYER/fuzz_NAME.c, tests/conformance/,
# and whatever other folder of tests/ has a CMakeLists.txt. tools/run-tests runs them and counts cases.

set(O2W_TEST_DATA ${CMAKE_SOURCE_DIR}/tests/data)   # as committed
set(O2W_UNPACKED_DATA ${CMAKE_BINARY_DIR}/data)     # archives unpacked, by the fixtures below

# o2w_add_test(NAME name COMMAND program arguments... [LABELS label...] [DATA set...] [TIMEOUT seconds]
#              [SERIAL])
# A test prints "N passed, N failed, N skipped" as its last line, or cmocka's summary; see tools/run-tests.
# DATA names the packed sets of tests/data that must be unpacked first; SERIAL tests measure time and run alone.
function(o2w_add_test)
    cmake_parse_arguments(test "SERIAL" "NAME;TIMEOUT" "COMMAND;LABELS;DATA" ${ARGN})
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 600)
    endif()
    list(TRANSFORM test_DATA PREPEND data_)
    add_test(NAME ${test_NAME} COMMAND ${test_COMMAND})
    set(supp ${CMAKE_SOURCE_DIR}/tests/sanitizers)
    set_tests_properties(${test_NAME} PROPERTIES
        TIMEOUT ${test_TIMEOUT} RUN_SERIAL ${test_SERIAL} LABELS "${test_LABELS}" FIXTURES_REQUIRED "${test_DATA}"
        ENVIRONMENT "O2W_TEST_DATA=${O2W_TEST_DATA};O2W_UNPACKED_DATA=${O2W_UNPACKED_DATA};O2W_BIN=${CMAKE_BINARY_DIR}/bin;LSAN_OPTIONS=suppressions=${supp}/leaks.txt:print_suppressions=0;TSAN_OPTIONS=suppressions=${supp}/threads.txt;UBSAN_OPTIONS=print_stacktrace=1")
endfunction()

# Packed data sets, unpacked once per build folder and again when the archive changes.
foreach(set hostile onnx-node op-models classifiers)
    add_test(NAME data_${set} COMMAND ${CMAKE_COMMAND}
        -DARCHIVE=${O2W_TEST_DATA}/${set}/${set}.tar.xz -DFOLDER=${O2W_UNPACKED_DATA}/${set}
        -P ${CMAKE_SOURCE_DIR}/cmake/unpack.cmake)
    set_tests_properties(data_${set} PROPERTIES FIXTURES_SETUP data_${set} LABELS fixture)
    list(APPEND unpack COMMAND ${CMAKE_COMMAND}
        -DARCHIVE=${O2W_TEST_DATA}/${set}/${set}.tar.xz -DFOLDER=${O2W_UNPACKED_DATA}/${set}
        -P ${CMAKE_SOURCE_DIR}/cmake/unpack.cmake)
endforeach()
add_custom_target(test-data ${unpack} COMMENT "Unpacking the test data" VERBATIM)

# What test programs share: the places of data and programs, and tests/support.
add_library(o2w_test INTERFACE)
target_link_libraries(o2w_test INTERFACE o2w_flags)
target_include_directories(o2w_test INTERFACE ${CMAKE_SOURCE_DIR}/tests)
target_compile_definitions(o2w_test INTERFACE
    "O2W_TEST_DATA=\"${O2W_TEST_DATA}\"" "O2W_UNPACKED_DATA=\"${O2W_UNPACKED_DATA}\""
    "O2W_BIN=\"${CMAKE_BINARY_DIR}/bin\"")
file(GLOB support CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.c)
if(support)
    add_library(o2w_test_support STATIC ${support})
    target_link_libraries(o2w_test_support PUBLIC o2w_base o2w_test)
else()
    add_library(o2w_test_support INTERFACE)
    target_link_libraries(o2w_test_support INTERFACE o2w_base o2w_test)
endif()

# Unit tests: one program test_LAYER_NAME per file, linked with its layer only.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
foreach(layer IN LISTS O2W_LAYERS)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${layer}/test_*.c)
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME_WE)
        string(REGEX REPLACE "^test_(${layer}_)?" "test_${layer}_" name ${name})
        add_executable(${name} ${source})
        target_link_libraries(${name} PRIVATE o2w_test_support o2w_${layer} PkgConfig::CMOCKA)
        if(layer STREQUAL backend)
            target_link_libraries(${name} PRIVATE o2w_emit) # its graphs also run as the models that emit writes
        endif()
        if(layer STREQUAL cli)
            target_link_libraries(${name} PRIVATE o2w_all) # it names no layers, it uses the library
        endif()
        o2w_add_test(NAME ${name} COMMAND ${name} LABELS unit ${layer})
    endforeach()
endforeach()

# Fuzz targets: with libFuzzer in the preset fuzz; elsewhere the same code runs over its corpus,
# tests/fuzz/corpus/NAME/*, as a test.
foreach(layer IN LISTS O2W_LAYERS)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/${layer}/fuzz_*.c)
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME_WE)
        add_executable(${name} ${source})
        target_link_libraries(${name} PRIVATE o2w_test_support o2w_${layer})
        if(O2W_FUZZERS)
            target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
            target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        else()
            target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.c)
            o2w_add_test(NAME ${name} COMMAND ${name} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name}
                LABELS fuzz hostile)
        endif()
    endforeach()
endforeach()

# The conformance runner.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/conformance/*.c)
if(sources)
    add_executable(onnx2webnn-conformance ${sources})
    target_include_directories(onnx2webnn-conformance PRIVATE ${CMAKE_SOURCE_DIR}/tests/conformance)
    target_link_libraries(onnx2webnn-conformance PRIVATE o2w_test_support o2w_all)
    o2w_add_test(NAME conformance_builder_calls LABELS conformance
        COMMAND onnx2webnn-conformance builder-calls ${O2W_TEST_DATA}/builder-calls)
    o2w_add_test(NAME conformance_wpt LABELS conformance
        COMMAND onnx2webnn-conformance wpt --engine cpu --audit --most 0.5 ${O2W_TEST_DATA}/wpt)
    o2w_add_test(NAME conformance_wpt_onnx LABELS engines
        COMMAND onnx2webnn-conformance wpt --engine onnx --as-model ${O2W_TEST_DATA}/wpt)
    foreach(target chromium required)
        o2w_add_test(NAME conformance_wpt_${target} LABELS conformance
            COMMAND onnx2webnn-conformance wpt --target ${target} ${O2W_TEST_DATA}/wpt)
    endforeach()
    o2w_add_test(NAME conformance_wpt_litert LABELS engines
        COMMAND onnx2webnn-conformance wpt --engine litert ${O2W_TEST_DATA}/wpt)
    o2w_add_test(NAME conformance_onnx_node LABELS conformance DATA onnx-node
        COMMAND onnx2webnn-conformance onnx-node --cases ${O2W_TEST_DATA}/onnx-node/cases.json ${O2W_UNPACKED_DATA}/onnx-node)
    o2w_add_test(NAME conformance_op_models LABELS conformance DATA op-models
        COMMAND onnx2webnn-conformance onnx-node --expected ${CMAKE_SOURCE_DIR}/tests/conformance/expected_op_models.txt
                --cases ${O2W_TEST_DATA}/op-models/cases.json ${O2W_UNPACKED_DATA}/op-models)
    foreach(engine cpu onnx)
        set(label conformance)
        if(engine STREQUAL onnx)
            set(label engines)
        endif()
        o2w_add_test(NAME conformance_classifiers_${engine} LABELS ${label} DATA classifiers
            COMMAND onnx2webnn-conformance onnx-node --engine ${engine}
                    --cases ${O2W_TEST_DATA}/classifiers/cases.json ${O2W_UNPACKED_DATA}/classifiers)
    endforeach()
    o2w_add_test(NAME conformance_hostile LABELS conformance hostile DATA hostile TIMEOUT 900 SERIAL
        COMMAND onnx2webnn-conformance hostile --cases ${O2W_TEST_DATA}/hostile/cases.json
                ${O2W_UNPACKED_DATA}/hostile)
endif()

file(GLOB folders CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*/CMakeLists.txt)
foreach(list IN LISTS folders)
    get_filename_component(folder ${list} DIRECTORY)
    add_subdirectory(${folder})
endforeach()

# libonnx2webnn, shared and static, from all layers but cli and wasmtime; libonnx2webnn-wasmtime, the binding for
# embedders of Wasmtime; the command onnx2webnn from all; its manual.

set(layers "")
set(objects "")
foreach(layer IN LISTS O2W_BUILT_LAYERS)
    list(APPEND layers o2w_${layer})
    if(NOT layer STREQUAL wasmtime)
        list(APPEND objects $<TARGET_OBJECTS:o2w_${layer}>)
    endif()
endforeach()

# Everything, internals too: for the command and for tests that look inside.
add_library(o2w_all INTERFACE)
target_link_libraries(o2w_all INTERFACE ${layers} o2w_flags)

if(NOT objects)
    return()
endif()

# In a static library hidden symbols are as visible as any. Joined into one object, they become local to it, so
# that names like those of the arena cannot clash with the program's own.
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_OBJCOPY)
    set(joined ${CMAKE_BINARY_DIR}/lib/onnx2webnn.o)
    add_custom_command(OUTPUT ${joined}
        COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${joined} ${objects}
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${joined}
        DEPENDS ${objects} COMMAND_EXPAND_LISTS VERBATIM COMMENT "Joining the layers")
    add_library(onnx2webnn_static STATIC ${joined})
else()
    add_library(onnx2webnn_static STATIC ${objects})
endif()
add_library(onnx2webnn_shared SHARED ${objects})
target_link_libraries(onnx2webnn_shared PRIVATE $<BUILD_INTERFACE:o2w_flags>)
target_link_libraries(onnx2webnn_static INTERFACE Threads::Threads ${CMAKE_DL_LIBS} $<$<PLATFORM_ID:Linux>:m>)
if(NOT APPLE AND NOT O2W_SANITIZE)
    target_link_options(onnx2webnn_shared PRIVATE LINKER:--no-undefined)
endif()

foreach(kind shared static)
    add_library(onnx2webnn::${kind} ALIAS onnx2webnn_${kind})
    set_target_properties(onnx2webnn_${kind} PROPERTIES
        OUTPUT_NAME onnx2webnn EXPORT_NAME ${kind} LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_include_directories(onnx2webnn_${kind} INTERFACE
        $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

# The binding calls the library; of its layers it has base as its own, hidden.
if(TARGET o2w_wasmtime)
    add_library(onnx2webnn_wasmtime SHARED $<TARGET_OBJECTS:o2w_wasmtime> $<TARGET_OBJECTS:o2w_base>)
    add_library(onnx2webnn::wasmtime ALIAS onnx2webnn_wasmtime)
    target_link_libraries(onnx2webnn_wasmtime PUBLIC onnx2webnn_shared PRIVATE $<BUILD_INTERFACE:o2w_flags>)
    set_target_properties(onnx2webnn_wasmtime PROPERTIES
        OUTPUT_NAME onnx2webnn-wasmtime EXPORT_NAME wasmtime LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    if(NOT APPLE AND NOT O2W_SANITIZE)
        target_link_options(onnx2webnn_wasmtime PRIVATE LINKER:--no-undefined
            LINKER:--version-script=${CMAKE_SOURCE_DIR}/cmake/wasmtime.map)
    endif()
endif()

get_target_property(cli_type o2w_cli TYPE)
if(NOT cli_type STREQUAL INTERFACE_LIBRARY)
    add_executable(onnx2webnn $<TARGET_OBJECTS:o2w_cli>)
    set_target_properties(onnx2webnn PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(onnx2webnn PRIVATE o2w_cli o2w_all)

    # tools/manual/*.c: a program that writes man page and shell completions from the command's rows into a folder.
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/manual/*.c)
    if(sources)
        set(O2W_MANUAL ${CMAKE_BINARY_DIR}/manual)
        set(pages ${O2W_MANUAL}/onnx2webnn.1 ${O2W_MANUAL}/onnx2webnn.bash ${O2W_MANUAL}/onnx2webnn.zsh
            ${O2W_MANUAL}/onnx2webnn.fish)
        add_executable(o2w-manual ${sources})
        target_link_libraries(o2w-manual PRIVATE o2w_cli o2w_all)
        add_custom_command(OUTPUT ${pages}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${O2W_MANUAL}
            COMMAND o2w-manual ${O2W_MANUAL}
            DEPENDS o2w-manual VERBATIM COMMENT "Writing the man page and completions")
        add_custom_target(manual ALL DEPENDS ${pages})
    endif()
endif()

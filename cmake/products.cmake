# libonnx2webnn, shared and static, from all layers but cli; the command onnx2webnn from cli.

set(objects "")
foreach(layer IN LISTS O2W_BUILT_LAYERS)
    list(APPEND objects $<TARGET_OBJECTS:o2w_${layer}>)
endforeach()
if(NOT objects)
    return()
endif()

foreach(kind shared static)
    string(TOUPPER ${kind} type)
    add_library(onnx2webnn_${kind} ${type} ${objects})
    add_library(onnx2webnn::${kind} ALIAS onnx2webnn_${kind})
    set_target_properties(onnx2webnn_${kind} PROPERTIES
        OUTPUT_NAME onnx2webnn EXPORT_NAME ${kind} LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_link_libraries(onnx2webnn_${kind} PRIVATE $<BUILD_INTERFACE:o2w_flags>)
    target_include_directories(onnx2webnn_${kind} INTERFACE
        $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
target_link_libraries(onnx2webnn_static INTERFACE
    $<INSTALL_INTERFACE:Threads::Threads> $<INSTALL_INTERFACE:${CMAKE_DL_LIBS}>
    $<INSTALL_INTERFACE:$<$<PLATFORM_ID:Linux>:m>>)
if(NOT APPLE AND NOT O2W_SANITIZE)
    target_link_options(onnx2webnn_shared PRIVATE LINKER:--no-undefined)
endif()

get_target_property(cli_type o2w_cli TYPE)
if(NOT cli_type STREQUAL INTERFACE_LIBRARY)
    add_executable(onnx2webnn $<TARGET_OBJECTS:o2w_cli>)
    set_target_properties(onnx2webnn PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(onnx2webnn PRIVATE onnx2webnn_static o2w_flags)
endif()

# make install: libraries, headers, pkg-config and CMake package files, the command, its manual, shared data.

if(NOT TARGET onnx2webnn_shared)
    return()
endif()
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/onnx2webnn)

install(TARGETS onnx2webnn_shared onnx2webnn_static onnx2webnn_wasmtime EXPORT onnx2webnn
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/onnx2webnn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

install(EXPORT onnx2webnn NAMESPACE onnx2webnn:: FILE onnx2webnn-targets.cmake DESTINATION ${package})
configure_package_config_file(cmake/onnx2webnn-config.cmake.in onnx2webnn-config.cmake
    INSTALL_DESTINATION ${package})
write_basic_package_version_file(onnx2webnn-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/onnx2webnn-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/onnx2webnn-config-version.cmake DESTINATION ${package})

# Relative to the file itself, so that the prefix may be chosen when installing.
string(REGEX REPLACE "[^/]+" ".." pc_to_prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(cmake/onnx2webnn.pc.in onnx2webnn.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/onnx2webnn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET onnx2webnn)
    install(TARGETS onnx2webnn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET manual)
    install(FILES ${O2W_MANUAL}/onnx2webnn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${O2W_MANUAL}/onnx2webnn.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME onnx2webnn)
    install(FILES ${O2W_MANUAL}/onnx2webnn.zsh
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _onnx2webnn)
    install(FILES ${O2W_MANUAL}/onnx2webnn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The default manifest lies at the same place below the command's prefix, installed or built.
configure_file(tests/models/manifest.json ${CMAKE_BINARY_DIR}/share/onnx2webnn/manifest.json COPYONLY)
install(FILES tests/models/manifest.json DESTINATION ${CMAKE_INSTALL_DATADIR}/onnx2webnn)
if(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/share)
    install(DIRECTORY share/ DESTINATION ${CMAKE_INSTALL_DATADIR}/onnx2webnn)
endif()

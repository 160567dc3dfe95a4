# make install: libraries, headers, pkg-config and CMake package files, the command.
include(CMakePackageConfigHelpers)

# The libFuzzer targets, one for each source NAME.fuzz.cc, and the program that writes their seeds. CMakeLists.txt includes
# this file; native/fuzz/run.mjs builds and runs the targets.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "The fuzz targets need clang. Configure with -DCMAKE_CXX_COMPILER=clang++ (Debian: apt-get install clang).")
endif()
target_compile_options(cochlea-core PUBLIC -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)

add_executable(fuzz-seeds native/fuzz/seeds.cc)
target_link_libraries(fuzz-seeds PRIVATE cochlea-core ${OPUS_LINK_LIBRARIES})
target_link_options(fuzz-seeds PRIVATE -fsanitize=address,undefined)

file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS native/*/*.fuzz.cc)
foreach(source ${FUZZ_SOURCES})
  get_filename_component(stem ${source} NAME_WE)
  add_executable(fuzz-${stem} ${source})
  target_link_libraries(fuzz-${stem} PRIVATE cochlea-core ${OPUS_LINK_LIBRARIES})
  target_link_options(fuzz-${stem} PRIVATE -fsanitize=fuzzer,address,undefined)
endforeach()

#!/usr/bin/env bash
# Builds and runs the C++ tests with AddressSanitizer and UndefinedBehaviorSanitizer. Then builds the addon
# with both and calls it from Node. Prints "N passed, N failed".
# Needs g++, cmake, pkg-config, libopus-dev and libgtest-dev. Tries to install dlc3 and ffmpeg, whose results
# are the reference for codecs. Without them, the tests of these codecs are skipped.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

as_root=''
[[ $(id -u) -eq 0 ]] || as_root='sudo -n'
refreshed=''
provide() {
  $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 && return
  [[ -z $refreshed ]] && refreshed=yes && $as_root apt-get update -qq >/dev/null 2>&1 || return
  $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}
if ! ls /usr/include/gtest/gtest.h /usr/local/include/gtest/gtest.h >/dev/null 2>&1 && ! provide libgtest-dev; then
  echo 'GoogleTest is missing. Install it (Debian: apt-get install libgtest-dev) and run this again.'
  exit 1
fi
pkg-config --exists lc3 || provide liblc3-dev
command -v dlc3 >/dev/null || provide liblc3-tools
command -v ffmpeg >/dev/null || provide ffmpeg

jobs=$(nproc 2>/dev/null || echo 2)
quiet() { "$@" >build/sanitized.log 2>&1 || { tail -n 40 build/sanitized.log; return 1; }; }
mkdir -p build

# sees NAME FLAGS PROGRAM: checks that the sanitizer reports an error in the program. On some machines a
# sanitizer fails silently: without ptrace, for example, it finds no leaks.
sees() {
  local name=$1 flags=$2 program=$3
  # shellcheck disable=SC2086
  printf '%s\n' "$program" | g++ -x c++ -O0 -g $flags -o build/fault - -pthread || return 1
  if ./build/fault >build/sanitized.log 2>&1 || ! grep -q "$name" build/sanitized.log; then
    echo "$name sees nothing on this machine:"
    tail -n 5 build/sanitized.log
    return 1
  fi
}
sees LeakSanitizer -fsanitize=address 'int main() { new int; }' || exit 1
sees ThreadSanitizer -fsanitize=thread \
  '#include <thread>
   int n; int main() { std::thread a([] { ++n; }), b([] { ++n; }); a.join(); b.join(); }' || exit 1
rm -f build/fault

quiet cmake -S . -B build/sanitized -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCOCHLEA_TESTS=ON -DCOCHLEA_SANITIZE=ON || exit 1
quiet cmake --build build/sanitized -j "$jobs" || exit 1

# If this machine lacks the instruction set or program that a test needs, the test is skipped with a printed
# reason.
report=build/sanitized/report.txt
ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
  ./build/sanitized/cochlea-tests --gtest_brief=1 2>&1 | tee "$report"
status=${PIPESTATUS[0]}
passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$report" | head -n 1)
failed=$(sed -n 's/^ *\([0-9]*\) FAILED TEST.*/\1/p' "$report" | head -n 1)
passed=${passed:-0}
failed=${failed:-0}
# A sanitizer's error ends the run before the tests are counted. Such a run counts as one failure.
if [[ $status -ne 0 && $failed -eq 0 ]]; then failed=1; fi

quiet npx --no-install cmake-js compile -O build/sanitized-addon --CDCOCHLEA_SANITIZE=ON --CDCMAKE_BUILD_TYPE=RelWithDebInfo
if [[ $? -ne 0 ]]; then
  failed=$((failed + 1))
# Node itself leaks at exit, so only the C++ tests are checked for leaks.
elif LD_PRELOAD=$(g++ -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 \
  node native/drive-addon.mjs "$(find build/sanitized-addon -name cochlea.node | head -n 1)" build/silero-v5.bin; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
fi

quiet cmake -S . -B build/sanitized-threads -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCOCHLEA_TESTS=ON -DCOCHLEA_SANITIZE_THREADS=ON &&
  quiet cmake --build build/sanitized-threads -j "$jobs" &&
  TSAN_OPTIONS=halt_on_error=1 ./build/sanitized-threads/cochlea-tests --gtest_brief=1 --gtest_filter='Threads.*'
if [[ $? -eq 0 ]]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 && $passed -gt 1 ]]

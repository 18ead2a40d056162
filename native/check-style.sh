#!/usr/bin/env bash
# Checks all C++ files under native/: the format with clang-format (.clang-format), and mistakes with
# clang-tidy (.clang-tidy).
#   check-style.sh [format | tidy]   runs one check, or both; the exit status is 1 if there is a finding
#   check-style.sh write             formats the files
# The tools are installed into build/style, in the releases of check-style.txt. clang-tidy also needs
# node_modules and the packages that native/run-sanitized-tests.sh installs.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=build/style/bin
database=build/style-database

install_tools() {
  cmp -s native/check-style.txt build/style/installed.txt && return
  rm -rf build/style
  python3 -m venv build/style &&
    $tools/pip install --quiet --disable-pip-version-check --requirement native/check-style.txt &&
    cp native/check-style.txt build/style/installed.txt
}

sources() { find native -name '*.cc' -print0; }
files() { find native \( -name '*.cc' -o -name '*.h' -o -name '*.inc' \) -print0; }
count() { "$1" | tr -cd '\0' | wc -c; }

check_format() {
  files | xargs -0 $tools/clang-format --dry-run --Werror || {
    echo 'Some files are not formatted. "npm run cpp-style -- write" formats them.'
    return 1
  }
  echo "clang-format: $(count files) files"
}

# Configures a build without making it, because this writes the compile commands of each file. The build has
# no fuzz targets, because they need clang as compiler. For a fuzz target, clang-tidy uses the commands of the
# source beside it.
configure() {
  rm -rf $database
  npx --no-install cmake-js configure -O $database --CDCMAKE_EXPORT_COMPILE_COMMANDS=ON --CDCOCHLEA_TESTS=ON \
    >build/style.log 2>&1 || { tail -n 40 build/style.log; return 1; }
}

# Prints the output for a file only if the file has findings. The output is printed at once, so outputs of
# parallel checks do not mix.
tidy_one='output=$("$1" -p "$2" --quiet "$3" 2>&1) || { printf "%s\n" "$output"; exit 1; }'

check_tidy() {
  # If .clang-tidy has unknown names of checks or options, clang-tidy normally prints them and continues. This
  # command fails instead.
  $tools/clang-tidy --verify-config >build/style.log 2>&1 || { cat build/style.log; return 1; }
  configure || return 1
  sources | xargs -0 -n 1 -P "$(nproc 2>/dev/null || echo 2)" \
    bash -c "$tidy_one" tidy $tools/clang-tidy $database || return 1
  echo "clang-tidy: $(count sources) sources and their headers"
}

what=${1-both}
case $what in
  both | format | tidy | write) ;;
  *)
    echo 'Usage: check-style.sh [format | tidy | write]'
    exit 2
    ;;
esac
mkdir -p build
install_tools || { echo 'The tools in native/check-style.txt could not be installed.'; exit 1; }

SECONDS=0
status=0
if [[ $what == write ]]; then files | xargs -0 $tools/clang-format -i || status=1; fi
if [[ $what == both || $what == format ]]; then check_format || status=1; fi
if [[ $what == both || $what == tidy ]]; then check_tidy || status=1; fi
echo "$SECONDS s"
exit $status

#!/usr/bin/env bash
# Builds Debian's codec libraries from source into build/fuzz/libraries: static, with coverage and sanitizers.
# A fuzzer gets no coverage of a shared library. Prints the versions.
# Sources come from apt through a private list, so neither /etc nor apt's state changes. If a library is
# already unpacked under build/fuzz/source, it is used unchanged.
# If a source is not available, the script prints the library's name and omits the library. The exit status is
# then 3, and the fuzzers use the installed library. Needs clang, make, dpkg-dev and, for the download, apt.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

root=$PWD/build/fuzz
prefix=$root/libraries
sources=$root/source
log=$root/libraries.log
instrument='-g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined'
mkdir -p "$root/apt/lists/partial" "$root/apt/cache" "$sources" "$prefix/lib/pkgconfig" "$prefix/include"
: >"$log"

# Address of the package archive that this machine uses.
archive=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
  awk '$2 == "main" && $1 ~ /\/debian\/?$/ { print $1; exit }')

# apt_source SUITE PACKAGE: prints the folder of the package's source in SUITE. A mirror may lack Debian's
# packaging. The upstream archive alone suffices, because the packaging does not change the decoders.
apt_source() {
  local suite=$1 package=$2
  [[ -n $archive ]] || { echo 'apt knows no Debian archive'; return 1; } >>"$log"
  printf 'deb-src %s %s main\n' "$archive" "$suite" >"$root/apt/$suite.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$root/apt/$suite.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$root/apt/lists" -o "Dir::Cache=$root/apt/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update >>"$log" 2>&1 || return 1
  rm -rf "$root/apt/download" && mkdir "$root/apt/download" && (
    cd "$root/apt/download" || exit 1
    if apt-get "${options[@]}" source "$package"; then
      mv "$package"-*/ "$sources/"
    elif apt-get "${options[@]}" source --tar-only "$package" && tar -xf "$package"_*.orig.tar.*; then
      mv "$package"-*/ "$sources/"
    else
      exit 1
    fi
  ) >>"$log" 2>&1
}

# provide PACKAGE: prints the folder of the package's source. It prefers the version of this release of
# Debian.
provide() {
  local package=$1 suite
  if ! compgen -G "$sources/$package-*/" >/dev/null; then
    for suite in bookworm trixie; do
      apt_source "$suite" "$package" && break
    done
  fi
  compgen -G "$sources/$package-*/" | sort -V | head -n 1
}

build_opus() {
  local source=$1
  cd "$source" && ./configure --quiet --disable-shared --enable-static --disable-doc --disable-extra-programs \
    --prefix="$prefix" CC=clang CFLAGS="$instrument" && make -s -j2 && make -s install
}

build_liblc3() {
  local source=$1 objects=$root/liblc3-objects file
  rm -rf "$objects" && mkdir -p "$objects" && cd "$objects" || return 1
  # The flags of the library's makefile, with -ffast-math. The library shifts bytes into the sign bit. That is undefined in C but
  # works with every compiler in use, and the sanitizer would report it on the first frame.
  # shellcheck disable=SC2086
  clang -std=c11 -ffast-math $instrument -fno-sanitize=shift -I"$source/include" -c "$source"/src/*.c || return 1
  rm -f "$prefix/lib/liblc3.a"
  ar rcs "$prefix/lib/liblc3.a" ./*.o || return 1
  cp "$source"/include/lc3*.h "$prefix/include/" || return 1
  cat >"$prefix/lib/pkgconfig/lc3.pc" <<END
Name: liblc3
Description: LC3 codec library, instrumented
Version: $2
Libs: -L$prefix/lib -llc3 -lm
Cflags: -I$prefix/include
END
}

if ! { type -P clang++ && type -P make && type -P dpkg-source; } >/dev/null; then
  as_root=''
  [[ $(id -u) -eq 0 ]] || as_root='sudo -n'
  # shellcheck disable=SC2086
  if ! { $as_root apt-get install -y -qq clang make dpkg-dev || { $as_root apt-get update -qq &&
    $as_root apt-get install -y -qq clang make dpkg-dev; }; } >>"$log" 2>&1; then
    echo 'The fuzzers need clang, make and dpkg-dev. Install them (Debian: apt-get install clang make dpkg-dev) and run this again.'
    exit 1
  fi
fi

# The libraries are built again when this script changes.
recipe=$(cksum <"$root/../../native/fuzz/build-libraries.sh")
missing=0
for library in opus liblc3; do
  source=$(provide "$library")
  version=$(basename "${source:-none}")
  stamp=$prefix/$library.stamp
  if [[ -z $source ]]; then
    printf '%s: no source to be had; the installed library is fuzzed, without coverage\n' "$library"
    missing=3
  elif [[ $(cat "$stamp" 2>/dev/null) == "$version $recipe" ]]; then
    printf '%s: built\n' "$version"
  elif (build_"$library" "${source%/}" "${version##*-}") >>"$log" 2>&1; then
    printf '%s' "$version $recipe" >"$stamp"
    printf '%s: built with coverage and sanitizers\n' "$version"
  else
    printf '%s: does not build; the end of %s:\n' "$version" "$log"
    tail -n 20 "$log"
    exit 1
  fi
done
exit "$missing"

# shellcheck shell=bash
# Sourced by the scripts that make archives for PIE: their names, what is in them, and what is held against each.
shopt -s extglob

# archive_name PHP MACHINE LIBC THREADS [DEBUG]: as php/pie, src/Platform/PrePackagedBinaryAssetName.php, has them. THREADS is zts or nts,
# DEBUG is debug or empty.
archive_name() {
  local name
  name=php_xhprof-$(<"$root/extension/VERSION")_php$1-$2-linux-$3
  [[ ${5:-} != debug ]] || name+=-debug
  [[ $4 != zts ]] || name+=-zts
  echo "$name.zip"
}

# archive_pack ARCHIVE MODULES STRIP: packs the three programs of that folder with the licence, in the file ARCHIVE. The same programs
# make the same archive, byte for byte.
archive_pack() {
  local scratch
  scratch=$(mktemp -d)
  install -m 644 "$2"/{xhprof.so,libxhprof_malloc.so} "$root/LICENSE" "$scratch/"
  install -m 755 "$2/xhprof-inspect" "$scratch/"
  "$3" --strip-unneeded "$scratch"/*.so "$scratch/xhprof-inspect"
  find "$scratch" -exec touch -d "@${SOURCE_DATE_EPOCH:-315619200}" {} +
  mkdir -p "${1%/*}"
  rm -f "$1"
  (cd "$scratch" && TZ=UTC zip -q -X "$1" LICENSE libxhprof_malloc.so xhprof-inspect xhprof.so)
  rm -r "$scratch"
}

# archive_check ARCHIVE: whether what is in it runs on what its name says: the processor and the C library by readelf, the PHP by the
# number that xhprof.so was built for, which PHP compares when it loads it. Prints what is wrong.
archive_check() {
  local archive=$1 scratch name=${1##*/} file machine libc build version wrong=0
  [[ $name =~ ^php_xhprof-([^_]+)_php(8\.[0-9]+)-(x86_64|arm64|aarch64)-linux-(glibc|musl)(-debug)?(-zts)?\.zip$ ]] ||
    { echo "$name is no name that PIE asks for"; return 1; }
  version=${BASH_REMATCH[1]} machine=${BASH_REMATCH[3]} libc=${BASH_REMATCH[4]}
  # ZEND_MODULE_API_NO, which no other version has.
  build=$(sed -n "s/^${BASH_REMATCH[2]} //p" <<<$'8.2 API20220829\n8.3 API20230831\n8.4 API20240924\n8.5 API20250925\n8.6 API20260924')
  build+=$([[ -n ${BASH_REMATCH[6]} ]] && echo ,TS || echo ,NTS)
  build+=${BASH_REMATCH[5]:+,debug}
  wrong() { echo "$name: $1"; wrong=1; }
  scratch=$(mktemp -d)
  unzip -q -d "$scratch" "$archive" || wrong "cannot be unpacked"
  [[ $(cd "$scratch" && find . -type f -printf '%m %P\n' | sort) == $'644 LICENSE\n644 libxhprof_malloc.so\n644 xhprof.so\n755 xhprof-inspect' ]] ||
    wrong "has other files or modes: $(cd "$scratch" && find . -type f -printf '%m %P ')"
  for file in "$scratch"/{xhprof.so,libxhprof_malloc.so,xhprof-inspect}; do
    case $machine in
      x86_64) readelf -h "$file" | grep 'Machine:.*X86-64' >/dev/null || wrong "${file##*/} is of another processor" ;;
      *) readelf -h "$file" | grep 'Machine:.*AArch64' >/dev/null || wrong "${file##*/} is of another processor" ;;
    esac
    # Nothing but the C library: an image has no more.
    while read -r library; do
      case $libc-$library in
        glibc-lib@(c|m|dl|pthread|rt).so.[126] | glibc-ld-linux-*.so.[12] | musl-libc.so | musl-libc.musl-*.so.1) ;;
        *) wrong "${file##*/} needs $library" ;;
      esac
    done < <(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    [[ $libc == glibc ]] || ! readelf -V "$file" | grep GLIBC_ >/dev/null || wrong "${file##*/} has versions of glibc"
    ! readelf -d "$file" | grep -E '\((RPATH|RUNPATH)\)' >/dev/null || wrong "${file##*/} looks for libraries in a folder of this machine"
  done
  strings "$scratch/xhprof.so" | grep -xF "$build" >/dev/null || wrong "xhprof.so is not built for $build"
  strings "$scratch/xhprof.so" | grep -F "$version" >/dev/null || wrong "xhprof.so is not of version $version"
  readelf --wide --dyn-syms "$scratch/xhprof.so" | grep ' get_module$' >/dev/null || wrong "xhprof.so is no extension"
  # The system's PCRE, of Debian's PHP, and PHP's own have other names.
  ! readelf --wide --dyn-syms "$scratch/xhprof.so" | grep -E ' GLOBAL .* UND .*pcre2_' >/dev/null || wrong "xhprof.so is for PHPs with one kind of PCRE"
  rm -r "$scratch"
  return "$wrong"
}
# archive_glibc ARCHIVE: the lowest version of glibc that it runs with.
archive_glibc() {
  local scratch
  scratch=$(mktemp -d)
  unzip -q -d "$scratch" "$1"
  cat <(readelf -V "$scratch/xhprof.so") <(readelf -V "$scratch/libxhprof_malloc.so") <(readelf -V "$scratch/xhprof-inspect") |
    grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1 | sed 's/GLIBC_//'
  rm -r "$scratch"
}

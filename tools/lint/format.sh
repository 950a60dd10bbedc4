#!/usr/bin/env bash
# format.sh [--check]: formats the C sources by .clang-format; with --check it only lists those that differ.
# Generated files are left alone. Releases of clang-format differ in details, so the check is made with one of them only.
set -euo pipefail
. "$(dirname "$0")/../env.sh"
reference=14
cd "$root"
mapfile -t files < <(find extension malloc inspect tests/malloc -path extension/include -prune -o \( -name '*.c' -o -name '*.h' \) \
  ! -name '*_arginfo.h' ! -name config.h -print | sort)
formatter=$(command -v "clang-format-$reference" || command -v clang-format)
version=$("$formatter" --version | grep -oE 'version [0-9]+' | cut -d ' ' -f 2)
if [[ ${1:-} != --check ]]; then
  "$formatter" -i "${files[@]}"
elif [[ $version != "$reference" ]]; then
  echo "skipped: this is clang-format $version, the sources are laid out by $reference"
  exit 77
else
  "$formatter" --dry-run -Werror "${files[@]}"
fi

# Sourced by the scripts here: where the project is, and which PHP it is built for and run with.
#   PHP_CONFIG   the php-config to build with (default: the first in PATH); everything else follows from it
#   PHP          the command line binary that belongs to it, PHPIZE likewise, PHP_V its "8.2" (empty when not installed)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/log

find_php() {
  local config name
  config=$(command -v "${PHP_CONFIG:-php-config}" || true)
  PHPIZE='' PHP=''
  if [[ -z $config && ${PHP_CONFIG:-} == */* ]]; then
    [[ -e $PHP_CONFIG ]] && echo "$PHP_CONFIG cannot be executed" >&2 || echo "$PHP_CONFIG does not exist" >&2
    exit 1
  fi
  if [[ -n $config ]]; then
    name=${config##*/}
    PHPIZE=$(command -v "${config%/*}/${name/php-config/phpize}" || true)
    PHP=$(command -v "$("$config" --php-binary)" || command -v "${config%/*}/${name/php-config/php}" || true)
  elif [[ -z ${PHP_CONFIG:-} ]]; then
    PHP=$(command -v php || true)
  fi
  php_config=$config
  if [[ -n $PHP ]]; then
    PHP_V=$("$PHP" -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
  else
    PHP_V=$(grep -oE '[0-9]+\.[0-9]+$' <<<"${PHP_CONFIG:-}" || true)
  fi
}

# The checksum of stdin.
digest() { sha256sum | cut -d ' ' -f 1; }

# stage NAME TEXT COMMAND...: one line of progress; the output goes to build/log/NAME.log and is shown when it fails.
stage() {
  local name=$1 text=$2 began=$SECONDS
  shift 2
  mkdir -p "$logs"
  echo "$text ..."
  if ! "$@" >"$logs/$name.log" 2>&1 </dev/null; then
    tail -n 25 "$logs/$name.log" >&2
    echo "$name failed after $((SECONDS - began)) s; all of its output: build/log/$name.log" >&2
    return 1
  fi
}

# once NAME KEY TEST TEXT COMMAND...: runs the command unless TEST exists and the last run had the same key.
once() {
  local stamp=$root/build/stamp/$1 name=$1 key=$2 file=$3 text=$4
  shift 4
  if [[ -e $file && -e $stamp && $(<"$stamp") == "$key" ]]; then
    return 0
  fi
  stage "$name" "$text" "$@" || return
  mkdir -p "${stamp%/*}"
  echo "$key" >"$stamp"
}

# have COMMAND...: whether all of them can be run.
have() {
  local name
  for name in "$@"; do
    command -v "$name" >/dev/null || return
  done
}

# is_installed PACKAGE...: whether all of Debian's packages are installed. dpkg also knows some that were removed, or that others name.
is_installed() {
  local package
  for package in "$@"; do
    [[ $'\n'$(dpkg-query -W -f '${db:Status-Abbrev}\n' "$package" 2>/dev/null) == *$'\n'ii* ]] || return
  done
}

# apt_get ARGUMENT...: asks nothing, and waits for another one.
apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 "$@"; }
# apt_download PACKAGE...: their files, into this folder, which may be closed to apt's own user.
apt_download() {
  [[ $(id -u) -ne 0 ]] || set -- -o APT::Sandbox::User=root "$@"
  apt_get download "$@"
}
# with_new_lists COMMAND...: apt's lists may be missing, or be older than what Debian's servers have: where the command fails, root reads
# them and runs it again.
with_new_lists() { "$@" || { [[ $(id -u) -eq 0 ]] && apt_get update && "$@"; }; }
# note_version FILE DEB: the file has one line for each package that was unpacked, as "name=version".
note_version() {
  local package
  package=$(dpkg-deb --field "$2" Package)
  touch "$1"
  sed -i "/^$package=/d" "$1"
  echo "$package=$(dpkg-deb --field "$2" Version)" >>"$1"
}

# tracked PATH...: the files of the sources below these paths, each followed by a zero byte. Sources outside of git have no others
# but what make has built.
# The checkout may be another user's, whose scripts root runs anyway (make install in a container).
tracked() {
  local built='\.(l?o|la|so|dep)$|(^|/)extension/(build|include|modules|\.libs|autom4te\.cache|xhprof-inspect\.d)/'
  built+='|(^|/)extension/(Makefile|config\.[^m/]|configure|confdefs|libtool|ltmain|install-sh|missing|mkinstalldirs|aclocal)'
  built+='|(^|/)extension/(run-tests|tmp-php|\.build-key|\.deps)|^(\./)?(build|node_modules|vendor|xhprof_html/assets/vendor|xhprof_lib/compiled)/'
  if [[ -e $root/.git ]]; then
    git -c safe.directory="$root" -C "$root" ls-files -z -- "$@"
  else
    (cd "$root" && find "$@" -type f -print0 | grep -zvE "$built" | sort -z)
  fi
}

# Composer as this PHP runs it, where it is a PHP script, whichever PHP its first line names.
composer_command() {
  local composer
  composer=$(command -v composer) || { echo "composer is missing; on Debian: apt-get install composer" >&2; return 1; }
  export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_NO_INTERACTION=1 XDEBUG_MODE=off
  if head -c 200 "$composer" | head -n 1 | grep -q php; then
    "$PHP" "$composer" "$@"
  else
    "$composer" "$@"
  fi
}

# is_for_use VENDOR: whether Composer's packages there are those for use alone, without those for development, as in a release.
is_for_use() { [[ -e $1/composer/installed.json ]] && grep -qE '"dev": *false' "$1/composer/installed.json"; }

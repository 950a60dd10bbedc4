#!/usr/bin/env bash
# servers.sh: what tests/server, the benchmark and the demo start, in build/servers: nginx, php-fpm, apache2 with its modules in
# apache2-modules, mariadbd, postgres with initdb, redis-server, memcached, victoria-metrics and clickhouse-server; in extensions/
# PHP's extensions for them, where this PHP has not loaded them itself; libraries is their LD_LIBRARY_PATH.
# Installed ones are used. Missing ones are only unpacked from Debian's packages, all by one download, in build/servers/packages: no
# service starts with the machine, root is not needed, and PHP's settings stay as they are. What cannot be had is named; its tests skip.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/servers
packages=$out/packages
mkdir -p "$packages" "$out/extensions"
exec 9>"$out/.lock"
flock 9
shopt -s nullglob

libraries() { find "$packages" -name '*.so.*' -printf '%h\n' | sort -u | paste -s -d : -; }
load_path=$(libraries)

# find_program NAME PROGRAM OPTION: links the first PROGRAM that starts, with the libraries that were unpacked beside it.
find_program() {
  local candidate
  for candidate in "$(command -v "$2" || true)" {,"$packages"}/usr/{sbin,bin,lib/postgresql/*/bin}/"$2"; do
    if [[ -x $candidate ]] && LD_LIBRARY_PATH=$load_path "$candidate" "$3" >/dev/null 2>&1; then
      ln -sfn "$candidate" "$out/$1"
      return 0
    fi
  done
  rm -f "$out/$1"
  return 1
}

find_apache() {
  local folder
  rm -f "$out/apache2-modules"
  find_program apache2 apache2 -v || return 1
  for folder in {,"$packages"}/usr/lib/apache2/modules; do
    if [[ -e $folder/libphp$PHP_V.so && -e $folder/mod_mpm_prefork.so ]]; then
      ln -sfn "$folder" "$out/apache2-modules"
      return 0
    fi
  done
  return 1
}

# It has no option that ends well.
find_clickhouse() {
  local candidate
  for candidate in "$(command -v clickhouse-server || true)" {/usr,"$packages/usr"}/{sbin,bin}/clickhouse-server; do
    if [[ -x $candidate ]] && ! LD_LIBRARY_PATH=$load_path ldd "$candidate" 2>&1 | grep -q 'not found'; then
      ln -sfn "$candidate" "$out/clickhouse-server"
      return 0
    fi
  done
  rm -f "$out/clickhouse-server"
  return 1
}

find_postgres() { find_program postgres postgres --version && find_program initdb initdb --version; }

# find_extensions NAME...: links those that this PHP has not loaded. All have to load together: PHP names one that does not.
find_extensions() {
  local name file settings=()
  for name in "$@"; do
    rm -f "$out/extensions/$name.so"
    [[ $loaded != *" $name "* ]] || continue
    for file in {"$extensions","$packages$extensions"}/"$name.so"; do
      if [[ -e $file ]]; then
        ln -sfn "$file" "$out/extensions/$name.so"
        settings+=(-d "extension=$out/extensions/$name.so")
        break
      fi
    done
  done
  # mysqlnd, igbinary and msgpack are those of Debian's builds: other builds may need none.
  [[ -n $PHP && -z $(LD_LIBRARY_PATH=$load_path "$PHP" -d display_errors=stderr -d display_startup_errors=1 -d log_errors=0 \
    "${settings[@]}" -r "exit((int) !extension_loaded('${*: -1}'));" 2>&1 || echo missing) ]] && return
  for name in "$@"; do
    rm -f "$out/extensions/$name.so"
  done
  return 1
}
loaded='' extensions=/none
if [[ -n $PHP ]]; then
  loaded=" $("$PHP" -m | tr '\n' ' ') "
  extensions=$("$PHP" -n -r 'echo PHP_EXTENSION_DIR;')
fi

# What it is called | how it is found | Debian's packages
# PHP-FPM has to be of the PHP that the extension is built for. libapparmor1: extensions that the command line's package does not have.
all=(
  "nginx|find_program nginx nginx -v|nginx"
  "php-fpm$PHP_V|find_program php-fpm php-fpm$PHP_V -v|php$PHP_V-fpm libapparmor1"
  "apache2 with libphp$PHP_V.so|find_apache|apache2-bin libapache2-mod-php$PHP_V"
  "MariaDB|find_program mariadbd mariadbd --version|mariadb-server-core"
  "PostgreSQL|find_postgres|postgresql"
  "Redis|find_program redis-server redis-server --version|redis-server"
  "Memcached|find_program memcached memcached --version|memcached"
  "VictoriaMetrics|find_program victoria-metrics victoria-metrics -version|victoria-metrics"
  "ClickHouse|find_clickhouse|clickhouse-server clickhouse-common"
  "PHP extension pdo_mysql|find_extensions mysqlnd pdo_mysql|php$PHP_V-mysql"
  "PHP extension mysqli|find_extensions mysqlnd mysqli|php$PHP_V-mysql"
  "PHP extension pdo_pgsql|find_extensions pdo_pgsql|php$PHP_V-pgsql"
  "PHP extension pgsql|find_extensions pgsql|php$PHP_V-pgsql"
  "PHP extension redis|find_extensions igbinary redis|php$PHP_V-redis"
  "PHP extension memcached|find_extensions igbinary msgpack memcached|php$PHP_V-memcached"
)

# Sets names and wanted: what is not found, and its packages.
look() {
  local entry name find needs
  names=() wanted=()
  for entry in "${all[@]}"; do
    IFS='|' read -r name find needs <<<"$entry"
    $find || { names+=("$name") && read -ra needs <<<"$needs" && wanted+=("${needs[@]}"); }
  done
}

# The packages of the arguments that apt knows.
known() { apt-cache policy "$@" 2>/dev/null | awk '/^[^ ]/ { name = $1; sub(/:.*/, "", name) } /Candidate: [^(]/ { print name }'; }

# The packages of the arguments, and what of their dependencies holds programs and libraries, without what is installed.
# LLVM is for PostgreSQL's JIT compiler only, and of APR's drivers nothing is used.
closure() {
  local seen=' ' level=("$@") next package
  while ((${#level[@]})); do
    next=()
    for package in "${level[@]}"; do
      [[ $seen != *" $package "* ]] && ! is_installed "$package" && next+=("$package") && seen+="$package "
    done
    level=()
    ((${#next[@]} == 0)) || mapfile -t level < <(apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks \
      --no-replaces --no-enhances "${next[@]}" | sed -nE 's/^[ |]*(Pre)?Depends: //p' |
      grep -E '^(lib[a-z0-9].*|redis-tools|postgresql-[0-9]+|php[0-9.]+-(igbinary|msgpack))$' | grep -vE '^libllvm|^libaprutil1-|-perl$')
  done
  known ${seen:1}
}

download() {
  local found package
  cd "$packages"
  rm -f ./*.deb
  # Lists may be missing, or be older than what Debian's servers have.
  mapfile -t found < <(known "${wanted[@]}")
  if ((${#found[@]} < ${#wanted[@]})) && [[ $(id -u) -eq 0 ]]; then
    apt_get update || return
    mapfile -t found < <(known "${wanted[@]}")
  fi
  mapfile -t found < <(closure "${found[@]}")
  if ((${#found[@]})); then
    with_new_lists apt_download "${found[@]}" || return
  fi
  for package in ./*.deb; do
    dpkg -x "$package" . || return
  done
  rm -f ./*.deb
  printf '%s\n' "${wanted[@]}" >>"$out/.asked"
}

look
# What was unpacked and does not start, or what Debian does not have, is asked for again after a day.
find "$out/.asked" -mmin +1440 -delete 2>/dev/null || true
touch -a "$out/.asked"
mapfile -t wanted < <(printf '%s\n' "${wanted[@]}" | sort -u | grep -vxFf "$out/.asked" || true)
if ((${#wanted[@]})) && [[ -n ${wanted[0]} ]] && have apt-get apt-cache dpkg; then
  stage servers "Unpacking servers for the tests in build/servers" download || true
  load_path=$(libraries)
  look
fi
for name in "${names[@]}"; do
  echo "No $name: the tests that need it skip"
done
echo "$load_path" >"$out/libraries"

#!/usr/bin/env bash
# install.sh install|uninstall [extension|tools]...: copies what is built, or removes it; without a part, both.
#   extension   xhprof.so, libxhprof_malloc.so and xhprof-inspect, where PHP looks for extensions; xhprof-inspect in PATH, its man
#               page; the line that loads it
#   tools       the command line and the pages in share/xhprof, xhprof in PATH, its man page, completions, systemd units
#   PHP_CONFIG  the PHP that gets the extension      PREFIX    of the rest (default: /usr/local)
#   DESTDIR     a folder that stands for /, of a package that is being made: nothing of this machine is changed then
set -euo pipefail
. "$(dirname "$0")/env.sh"
prefix=${PREFIX:-/usr/local}
dest=${DESTDIR:-}
action=${1:-}
[[ $action == install || $action == uninstall ]] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
shift
parts=("$@")
[[ ${#parts[@]} -gt 0 ]] || parts=(extension tools)
find_php
if [[ -z $php_config || -z $PHP ]]; then
  if [[ $action == install || ${parts[*]} == extension ]]; then
    echo "no php-config; on Debian: apt-get install php-dev" >&2
    exit 1
  fi
  echo "No php-config: a PHP that has the extension keeps it"
  parts=(tools) php_config=true PHP=true
fi
modules=$("$php_config" --extension-dir)
available=/etc/php/$PHP_V/mods-available
scanned=$("$PHP" -n -r 'echo explode(PATH_SEPARATOR, PHP_CONFIG_FILE_SCAN_DIR)[0];')
runtime=$root/build/runtime
units=$prefix/lib/systemd/system
services=(xhprof-pages.service xhprof-ship.service)

# copy MODE FILE PATH
copy() { install -D -m "$1" -- "$2" "$dest$3"; }
# unused FOLDER...: removes those that are empty.
unused() {
  local folder
  for folder in "$@"; do
    rmdir -- "$dest$folder" 2>/dev/null || true
  done
}
has_phpenmod() { [[ -d $available ]] && command -v phpenmod >/dev/null; }

# The ini file that loads the extension, or nothing.
ini() {
  if has_phpenmod; then
    echo "$available/xhprof.ini"
  elif [[ -n $scanned ]]; then
    echo "$scanned/99-xhprof.ini"
  fi
}

install_extension() {
  local file
  for file in xhprof.so libxhprof_malloc.so; do
    copy 644 "$root/extension/modules/$file" "$modules/$file"
  done
  copy 755 "$root/extension/modules/xhprof-inspect" "$modules/xhprof-inspect"
  mkdir -p "$dest$prefix/bin"
  ln -sfn "$modules/xhprof-inspect" "$dest$prefix/bin/xhprof-inspect"
  copy 644 "$runtime/share/man/man1/xhprof-inspect.1" "$prefix/share/man/man1/xhprof-inspect.1"
  file=$(ini)
  if [[ -z $file ]]; then
    echo "Add the line extension=xhprof.so to php.ini: this PHP reads no folder of settings"
    return
  fi
  # The settings of an administrator stay.
  if [[ ! -e $dest$file ]]; then
    mkdir -p "$dest${file%/*}"
    printf '; priority=99\nextension=xhprof.so\n' >"$dest$file"
    chmod 644 "$dest$file"
  fi
  if [[ -z $dest ]] && has_phpenmod; then
    phpenmod -v "$PHP_V" xhprof
  fi
}

uninstall_extension() {
  local file
  if [[ -z $dest ]] && has_phpenmod && [[ -e $available/xhprof.ini ]]; then
    phpdismod -v "$PHP_V" xhprof
    # What phpenmod and phpdismod note.
    rm -f /var/lib/php/modules/"$PHP_V"/*/{enabled,disabled}_by_*/xhprof
    unused /var/lib/php/modules/"$PHP_V"/*/{enabled,disabled}_by_admin
  fi
  file=$(ini)
  rm -f "$dest$modules"/{xhprof.so,libxhprof_malloc.so,xhprof-inspect} ${file:+"$dest$file"}
  # With several PHPs it may be another one's.
  if [[ $(readlink "$dest$prefix/bin/xhprof-inspect") == "$modules/xhprof-inspect" ]]; then
    rm -f "$dest$prefix/bin/xhprof-inspect" "$dest$prefix/share/man/man1/xhprof-inspect.1"
    unused "$prefix/share/man/man1"
  fi
}

# systemd, where it runs, reads its units again.
units_changed() {
  [[ -n $dest || ! -d /run/systemd/system ]] || systemctl daemon-reload
}

# Below PREFIX/share, as in build/runtime/share.
shared=(man/man1/xhprof.1 bash-completion/completions/xhprof zsh/site-functions/_xhprof)
# fish reads no other PREFIX than its own.
fish=/etc/fish/completions
[[ $prefix != /usr ]] || fish=/usr/share/fish/vendor_completions.d

install_tools() {
  local file share=$dest$prefix/share/xhprof
  rm -rf "$share"
  mkdir -p "$share" "$dest$prefix/bin" "$dest$units"
  cp -R "$runtime"/{LICENSE,bin,composer.json,extension,vendor,xhprof_html,xhprof_lib} "$share/"
  chmod -R u=rwX,go=rX "$share"
  ln -sfn ../share/xhprof/bin/xhprof "$dest$prefix/bin/xhprof"
  for file in "${shared[@]}"; do
    copy 644 "$runtime/share/$file" "$prefix/share/$file"
  done
  copy 644 "$runtime/share/fish/vendor_completions.d/xhprof.fish" "$fish/xhprof.fish"
  for file in "${services[@]}"; do
    sed "s|@BIN@|$prefix/bin|" "$root/tools/install/$file" >"$dest$units/$file"
    chmod 644 "$dest$units/$file"
  done
  units_changed
}

uninstall_tools() {
  if [[ -z $dest && -e $units/xhprof-pages.service ]] && command -v systemctl >/dev/null; then
    # Where systemd does not run it cannot stop the services either, but does forget that they start.
    systemctl --quiet disable --now "${services[@]}" 2>/dev/null || true
  fi
  rm -rf "$dest$prefix/share/xhprof"
  rm -f "$dest$prefix/bin/xhprof" "${services[@]/#/$dest$units/}" "${shared[@]/#/$dest$prefix/share/}" "$dest$fish/xhprof.fish"
  unused "$prefix"/share/{man/man1,bash-completion/completions,bash-completion} "$units" "${units%/*}"
  # What the service keeps.
  [[ -n $dest ]] || rm -rf /var/cache/xhprof
  units_changed
  # These are fish's own, where it is installed.
  command -v fish >/dev/null || unused "$fish" "${fish%/*}"
}

for part in "${parts[@]}"; do
  "${action}_$part"
done
if [[ $action == install && -z $dest ]]; then
  servers=()
  for unit in "php$PHP_V-fpm" apache2; do
    [[ ! -e /lib/systemd/system/$unit.service ]] || servers+=("$unit")
  done
  [[ ${#servers[@]} -eq 0 ]] || echo "Restart PHP's servers: systemctl restart ${servers[*]}"
  echo "Installed. What can be profiled, and how: xhprof status"
fi

#!/usr/bin/env bash
# package-check.sh PART...: installs what `make release` and `make install` make, tries it and removes it again. For a Debian that
# is thrown away afterwards, as root: it installs packages. Output is TAP.
#   install    make install, the programs, man pages, completions in three shells, the pages, make uninstall
#   composer   composer require --dev and composer global require of the package of the tools
#   deb        the Debian packages: built, lintian, installed, purged
#   pecl       pecl package, pecl install, pecl uninstall
#   pie        the archive that PIE downloads for this PHP
#   docker     the RUN lines of the Dockerfile
set -euo pipefail
. "$(dirname "$0")/env.sh"
[[ ${THROW_AWAY:-} == yes && $(id -u) -eq 0 ]] || { echo "THROW_AWAY=yes, as root, says that this system may be changed" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
number=0 failed=0
log=$scratch/log

# check TEXT COMMAND...
check() {
  local text=$1
  shift
  number=$((number + 1))
  if ("$@") >"$log" 2>&1 </dev/null; then
    echo "ok $number - $text"
  else
    failed=1
    echo "not ok $number - $text"
    tail -n 40 "$log" | sed 's/^/# /'
  fi
}
apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=900 "$@"
}
# needed PACKAGE...
needed() {
  apt install --no-install-recommends "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
}
# Every file of the system but logs, caches, homes and what programs keep about their own work.
files() {
  find / -xdev \( -path "$root" -o -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /root -o -path /run -o -path /src \
    -o -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path '/var/lib/dpkg' -o -path '/var/lib/systemd' \
    -o -path /usr/share/php/.registry -o -path /usr/share/php/.lock -o -path /usr/share/php/.filemap -o -path /usr/share/php/.depdb \
    -o -path /usr/share/php/.depdblock \) -prune -o -print | sort
}
same_files() { files | diff "$scratch/files" -; }
prints() { # TEXT COMMAND...
  local text=$1
  shift
  timeout 60 "$@" 2>&1 | tee /dev/stderr | grep -qF -- "$text"
}
version=$(<"$root/extension/VERSION")
script=$scratch/mine.php
cat >"$script" <<'P'
<?php
function mine(): string { return str_repeat(md5('a'), 100); }
for ($i = 0; $i < 1000; $i++) { mine(); }
echo "done\n";
P

profiles() { prints 'mine' xhprof run --output-dir="$scratch/runs" -- "$script"; }
extension_is_loaded() { prints "Version => $version" php --ri xhprof; }
manual() { MANWIDTH=80 timeout 60 man "$1" | col -b | tee /dev/stderr | grep -q "$2"; }
completes_bash() {
  # shellcheck disable=SC2016 # for the inner shell
  timeout 60 bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader xhprof
    COMP_WORDS=(xhprof report --) COMP_CWORD=2 COMP_LINE="xhprof report --" COMP_POINT=16
    $(complete -p xhprof | sed "s/.* -F \([^ ]*\).*/\1/") xhprof -- report; printf "%s\n" "${COMPREPLY[@]}"' >"$scratch/words"
  cat "$scratch/words"
  grep -q -- '--symbol' "$scratch/words" && ! grep -q no-interaction "$scratch/words"
}
# The text appears when it is completed, at the first TAB.
completes_zsh() {
  # shellcheck disable=SC2016 # for the inner shell
  timeout 60 zsh -f -c 'zmodload zsh/zpty; zpty z env TERM=dumb zsh -f -i
    zpty -w z "autoload -U compinit; compinit -u -d $1/zcompdump; echo rea\"\"dy"; zpty -r z text "*ready*"
    zpty -n -w z "xhprof aggr"$'"'\t'"'; zpty -r z text "*xhprof*aggregate*"; print -r -- $text' zsh "$scratch"
}
completes_fish() {
  timeout 60 fish -c 'complete -C "xhprof report --"' >"$scratch/words"
  cat "$scratch/words"
  grep -q -- '--symbol' "$scratch/words" && ! grep -q no-interaction "$scratch/words"
}
# serves UNIT: starts what the unit starts, as its user.
serves() {
  local command address
  command=$(sed -n 's/^ExecStart=//p' "$1")
  install -d -o www-data "$scratch/served"
  chmod 711 "$scratch"
  : >"$scratch/served.log"
  # shellcheck disable=SC2086 # words
  XHPROF_OUTPUT_DIR=$scratch/served setsid setpriv --reuid=www-data --regid=www-data --clear-groups $command >"$scratch/served.log" 2>&1 &
  tail -f --pid=$! "$scratch/served.log" | grep -m 1 -o 'http://[^ ]*' >"$scratch/address" || true
  address=$(<"$scratch/address")
  php -r 'echo file_get_contents($argv[1]);' "$address" | grep -o '<title>.*</title>'
  local status=$?
  kill %1
  return "$status"
}

part_install() {
  needed man-db bsdextrautils bash-completion zsh fish
  cd "$root"
  tools/deps.sh install >"$log" 2>&1 || { tail "$log" >&2; exit 1; }
  files >"$scratch/files"
  check "make install" make -C "$root" install
  check "PHP loads the extension" extension_is_loaded
  check "xhprof is in PATH" prints "xhprof $version" xhprof --version
  check "xhprof-inspect is in PATH" prints "xhprof-inspect $version" xhprof-inspect --version
  check "it profiles a script" profiles
  installed_works
  check "the pages are served" serves /usr/local/lib/systemd/system/xhprof-pages.service
  check "make uninstall" make -C "$root" uninstall
  check "nothing is left" same_files
}
installed_works() {
  check "man xhprof" manual xhprof 'SYMBOL'
  check "man xhprof-inspect" manual xhprof-inspect 'max-string'
  check "bash completes" completes_bash
  check "zsh completes" completes_zsh
  check "fish completes" completes_fish
}

for part in "$@"; do
  "part_$part"
done
echo "1..$number"
exit "$failed"

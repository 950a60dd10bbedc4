# Sourced by the scripts that test in a Debian of their own, a folder in build/ made by debootstrap. No package list, mount or user of
# the machine changes.

skip() {
  echo "skipped: $1"
  exit 77
}

# room_lock NAME: waits until no other run uses build/NAME. Skips where no Debian can be made.
room_lock() {
  [[ $(id -u) -eq 0 ]] || skip "making a Debian in build/$1 needs root"
  command -v debootstrap >/dev/null || skip "no debootstrap; on Debian: apt-get install debootstrap"
  mkdir -p "$root/build"
  exec 9>"$root/build/.$1-lock"
  flock 9
}

# The Debian mirror of this machine.
room_mirror() {
  local mirror
  mirror=$({
    sed -n 's/^URIs:[[:space:]]*//p' /etc/apt/sources.list.d/*.sources
    sed -nE 's/^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list
  } 2>/dev/null | tr ' ' '\n' | grep -E '/debian/?$' | head -n 1 || true)
  echo "${mirror:-http://deb.debian.org/debian}"
}

# inside FOLDER COMMAND...: runs it in that Debian.
inside() {
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM="${TERM:-dumb}" \
    DEBIAN_FRONTEND=noninteractive chroot "$@"
}

# Gives it the machine's network settings.
room_settings() {
  local file
  mkdir -p "$1/etc/apt/apt.conf.d"
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/" 2>/dev/null || true
  for file in /etc/apt/apt.conf.d/*; do
    ! grep -qiE 'proxy|https::CA' "$file" || cp "$file" "$1/etc/apt/apt.conf.d/"
  done
}

# room_packages FOLDER PACKAGE...
room_packages() {
  room_settings "$1"
  inside "$1" apt-get -q -o Acquire::Retries=3 update
  inside "$1" apt-get -y -q -o Acquire::Retries=3 install --no-install-recommends "${@:2}"
}

# Device files that the scripts of packages and the tests use, without a mount.
room_devices() {
  local device
  for device in null zero full random urandom tty; do
    [[ -c $1/dev/$device ]] || cp -a "/dev/$device" "$1/dev/" || return 1
  done
  ln -sfn /proc/self/fd "$1/dev/fd"
}

# Gives it the machine's settings of Composer and npm, and the certificates with which they reach their registries.
room_registries() {
  local file
  mkdir -p "$1/root/.config/composer" "$1/etc/ssl/certs" "$1/usr/local/share/ca-certificates"
  cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
  cp /usr/local/share/ca-certificates/*.crt "$1/usr/local/share/ca-certificates/" 2>/dev/null || true
  cp "${COMPOSER_HOME:-$HOME/.config/composer}"/{auth,config}.json "$1/root/.config/composer/" 2>/dev/null || true
  cp "$HOME/.npmrc" "$1/root/" 2>/dev/null || true
  for file in {,/usr}/etc/npmrc; do
    [[ ! -e $file ]] || install -D -m 600 "$file" "$1$file"
  done
}

# room_base NAME RELEASE [PACKAGE...]: sets folder to build/NAME, a Debian with these packages; it is made once. Skips where it cannot be.
room_base() {
  local name=$1 release=$2 key
  shift 2
  folder=$root/build/$name
  room_lock "$name"
  key=$(echo "$release $*" | digest)
  [[ ! -e $folder/.key || $(<"$folder/.key") != "$key" ]] || return 0
  rm -rf --one-file-system "$folder" "$folder.new"
  stage "$name" "Making a Debian ($release) in build/$name" debootstrap --variant=minbase "$release" "$folder.new" "$(room_mirror)" ||
    skip "debootstrap does not work here: see build/log/$name.log"
  room_devices "$folder.new" || skip "no device files can be made here"
  stage "$name-packages" "Installing packages in it" room_packages "$folder.new" "$@" || skip "no packages: see build/log/$name-packages.log"
  echo "$key" >"$folder.new/.key"
  mv "$folder.new" "$folder"
}

# room_with_packages RELEASE: sets folder to build/packages-RELEASE, a Debian with what makes a release and what tries most of its parts, so
# that it is not installed in each run.
room_with_packages() {
  room_base "packages-$1" "$1" ca-certificates git gcc make unzip zip xz-utils composer php-cli php-dev php-mbstring php-sqlite3 php-pear \
    build-essential debhelper dh-php lintian man-db bsdextrautils bash-completion zsh fish systemd
}

# room_bare_layer: what a run changes in $folder is in a layer above it, which is thrown away with this script, as those of earlier
# calls. Sets layers to its folder, and above to what begins with the settings of this machine.
room_bare_layer() {
  layers=$folder.layers above=$folder.layers/above
  rm -rf --one-file-system "$layers"
  mkdir -p "$above" "$layers"/{work,room}
  thrown_away+=("$layers")
  trap 'rm -rf --one-file-system "${thrown_away[@]}"' EXIT
  room_settings "$above"
  room_registries "$above"
}

# room_layer: such a layer with the sources in /src.
room_layer() {
  room_bare_layer
  mkdir "$above/src"
  tracked . | tar -C "$root" --null --files-from=- -c | tar -C "$above/src" --no-same-owner -x
}

# room_path PATH: where a file is that a run made or changed.
room_path() { [[ -e $above/$1 ]] && echo "$above/$1" || echo "$layers/room/$1"; }

# room_run SCRIPT ARGUMENT...: room_do with /src as its folder, a repository with one commit.
room_run() {
  room_do "cd /src
    git init -q && git add -A && git -c user.name=check -c user.email=check@localhost commit -q -m copy
    $1" "${@:2}"
}

# room_do SCRIPT ARGUMENT...: runs the shell's script in $folder with that layer. Its processes end with the first of them, and its
# mounts with its processes.
room_do() {
  export -f inside
  # shellcheck disable=SC2016 # for the inner shell
  unshare --mount --pid --fork --kill-child -- bash -c '
    layers=$1 folder=$2
    shift 2
    cd "$layers"
    # Not above another overlay, as in a container.
    mount -t overlay overlay -o "lowerdir=$folder,upperdir=above,workdir=work" room 2>/dev/null ||
      { cp -a "$folder/." room/ && cp -a above/. room/; }
    mount -t proc proc room/proc
    mount -t devpts -o newinstance,ptmxmode=0666 devpts room/dev/pts
    ln -sf pts/ptmx room/dev/ptmx
    inside room sh -ec "$0" sh "$@"' "$1" "$layers" "$folder" "${@:2}"
}

# Copies the tracked files, the Composer packages and the sources of PHP_SOURCE to /src there. Unchanged files keep their times,
# so that only changed ones are compiled again.
room_copy() {
  local folder=$1 copy=$1/src
  mkdir -p "$copy"
  if [[ -e $copy/.files ]]; then
    (cd "$copy" && xargs -0 rm -f <.files)
  fi
  (cd "$root" && git ls-files -z | while IFS= read -r -d '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done) >"$copy/.files.new"
  mv "$copy/.files.new" "$copy/.files"
  tar -C "$root" --null --files-from="$copy/.files" -c | tar -C "$copy" --no-same-owner -x
  if [[ -d $root/vendor ]]; then
    rm -rf "$copy/vendor"
    cp -r "$root/vendor" "$copy/vendor"
  fi
  if [[ -n ${PHP_SOURCE:-} && ! -e $copy/build/php-source/${PHP_SOURCE##*/}/run-tests.php ]]; then
    mkdir -p "$copy/build/php-source"
    cp -r "$PHP_SOURCE" "$copy/build/php-source/"
  fi
  rm -rf "$copy/.git"
  inside "$folder" git init -q /src
  inside "$folder" git -C /src add -A
  inside "$folder" git -C /src -c user.name=check -c user.email=check@localhost commit -q -m copy
}

# room_check FOLDER COMMAND...: builds there, runs the command with /src as its folder, then the suites of make check in $SUITES,
# with the settings of tools/engine-all.php.
# Tests look at processes and open terminals. A private mount ends with the processes that see it. Where it is not allowed, the
# tests that need it fail or skip.
room_check() {
  local namespace=(unshare --mount --fork --)
  export PRIVATE=yes
  "${namespace[@]}" true 2>/dev/null || namespace=() PRIVATE=no
  # shellcheck disable=SC2016 # for the inner shell
  "${namespace[@]}" bash -c '
    if [[ $PRIVATE == yes ]]; then
      mount -t proc proc "$0/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" \
        && ln -sf pts/ptmx "$0/dev/ptmx" || echo "# /proc and /dev/pts cannot be mounted in the folder"
    fi
    settings=(${PHP_SOURCE:+"PHP_SOURCE=/src/build/php-source/${PHP_SOURCE##*/}"})
    for name in MODES PART TESTS JOBS FRESH; do
      [[ -z ${!name:-} ]] || settings+=("$name=${!name}")
    done
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${settings[@]}" \
      chroot "$0" bash -c "cd /src && XHPROF_DEV=1 WERROR=0 tools/build.sh && tools/test-php.sh && $* \
        LANES=1 SLOWER=${SLOWER:-1} PHP_INI_SCAN_DIR=/src/build/php/conf.d exec tools/php.sh tools/check.php $SUITES"' "$@"
}

#!/usr/bin/env bash
# packages.sh [PART...]: makes a release and tries its parts (see package-check.sh; default: all), in a Debian of its own,
# build/packages-RELEASE, made by debootstrap (see room.sh). A run changes a layer above it, which is thrown away. Needs root and
# debootstrap: exit code 77 without.
#   RELEASE   of Debian (default: bookworm, which has PHP 8.2)
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/room.sh"
parts=("$@")
[[ ${#parts[@]} -gt 0 ]] || parts=(install deb composer pecl pie docker)
suite=${RELEASE:-bookworm}
folder=$root/build/packages-$suite
# The parts ask for some of them as well: those that are in the layer below are not installed in each run.
packages=(ca-certificates git gcc make pkg-config uuid-dev unzip zip xz-utils composer php-cli php-dev php-mbstring php-sqlite3 php-pear
  build-essential debhelper dh-php lintian man-db bsdextrautils bash-completion zsh fish systemd)
room_lock "packages-$suite"

bootstrap() { debootstrap --variant=minbase "$suite" "$folder.new" "$(room_mirror)"; }
key=$(echo "$suite ${packages[*]}" | digest)
if [[ ! -e $folder/.key || $(<"$folder/.key") != "$key" ]]; then
  rm -rf --one-file-system "$folder" "$folder.new"
  stage packages "Making a Debian in build/packages-$suite" bootstrap || skip "debootstrap does not work here: see build/log/packages.log"
  room_devices "$folder.new" || skip "no device files can be made here"
  stage packages-packages "Installing PHP and what makes packages in it" room_packages "$folder.new" "${packages[@]}" ||
    skip "no packages: see build/log/packages-packages.log"
  echo "$key" >"$folder.new/.key"
  mv "$folder.new" "$folder"
fi

# Its layer has the sources, the assets of the pages, and this machine's settings of Composer.
layers=$folder.layers
above=$layers/above
rm -rf --one-file-system "$layers"
mkdir -p "$above"/{src,root/.config/composer,etc/ssl/certs,etc/apt/apt.conf.d} "$layers"/{work,room}
trap 'rm -rf --one-file-system "$layers"' EXIT
room_settings "$above"
cp /etc/ssl/certs/ca-certificates.crt "$above/etc/ssl/certs/"
cp "${COMPOSER_HOME:-$HOME/.config/composer}"/{auth,config}.json "$above/root/.config/composer/" 2>/dev/null || true
tracked . | tar -C "$root" --null --files-from=- -c | tar -C "$above/src" --no-same-owner -x
cp -R "$root/xhprof_html/assets/vendor" "$above/src/xhprof_html/assets/"

# Its processes end with the first of them, and its mounts with its processes.
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
  inside room sh -ec "cd /src
    git init -q && git add -A && git -c user.name=check -c user.email=check@localhost commit -q -m copy
    tools/release.sh
    THROW_AWAY=yes exec tools/package-check.sh \"\$@\"" sh "$@"' bash "$layers" "$folder" "${parts[@]}"

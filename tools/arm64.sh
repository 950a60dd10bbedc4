#!/usr/bin/env bash
# arm64.sh bookworm|trixie: the extension and its tests for aarch64, in a Debian 12 or 13 of its own, build/arm64-NAME (see room.sh),
# which QEMU emulates: about ten times slower. Debian's static QEMU is unpacked in build/qemu, not installed. The kernel knows it as
# long as this script runs. QEMU does not emulate rseq, ptrace and process_vm_readv: those tests skip.
# Needs root, debootstrap and the kernel's binfmt_misc: exit code 77 without.
#   SUITES   of make check (default: those that need only PHP and a compiler)
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/room.sh"
release=${1:-}
case $release in
  bookworm) php=8.2 ;;
  trixie) php=8.4 ;;
  *) sed -n 2,7p "$0" >&2; exit 2 ;;
esac
folder=$root/build/arm64-$release
packages=(ca-certificates git gcc libc6-dev make "php$php-cli" "php$php-dev")
[[ $(uname -m) != aarch64 ]] || skip "this machine is an aarch64 itself: make check tests it"
if [[ ${XHPROF_PRIVATE_MOUNTS:-} != "$$" ]]; then
  unshare --mount true 2>/dev/null || skip "no private mounts are allowed here"
  # shellcheck disable=SC2016 # for the inner shell
  exec unshare --mount bash -c 'XHPROF_PRIVATE_MOUNTS=$$ exec "$@"' bash "$0" "$@"
fi
room_lock "arm64-$release"

unpack_qemu() {
  rm -rf "$root/build/qemu"
  mkdir -p "$root/build/qemu"
  cd "$root/build/qemu"
  # Debian 14 has renamed it.
  apt_download qemu-user-static || apt_download qemu-user
  dpkg -x ./*.deb .
  rm ./*.deb
}
find_qemu() {
  local file
  for file in "$root"/build/qemu/usr/bin/qemu-aarch64{-static,}; do
    [[ ! -x $file ]] || echo "$file"
  done
}
qemu=$(find_qemu | head -n 1)
if [[ -z $qemu ]]; then
  have apt-get || skip "no apt-get to fetch QEMU with"
  stage qemu "Unpacking QEMU in build/qemu" unpack_qemu || skip "QEMU could not be fetched: see build/log/qemu.log"
  qemu=$(find_qemu | head -n 1)
fi

# The kernel opens QEMU when it is registered (F): it is found in the folder too. Programs get the first argument that they are given
# (P). With Linux 6.7 and newer the end of the private mount alone would unregister it.
binfmt=/proc/sys/fs/binfmt_misc
name=xhprof-aarch64-$$
header='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
modprobe -q binfmt_misc 2>/dev/null || true
mount -t binfmt_misc binfmt_misc "$binfmt" 2>/dev/null || skip "the kernel has no binfmt_misc, or does not allow it to be mounted here"
trap 'echo -1 >"$binfmt/$name"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
{ printf '%s' ":$name:M::$header:$mask:$qemu:PF" >"$binfmt/register"; } 2>/dev/null || {
  trap - EXIT
  skip "the kernel does not let QEMU be registered in binfmt_misc"
}

first_stage() { debootstrap --foreign --arch=arm64 --variant=minbase "$release" "$folder.new" "$(room_mirror)"; }
second_stage() { inside "$folder.new" /debootstrap/debootstrap --second-stage; }
key=$(echo "$release ${packages[*]}" | digest)
if [[ ! -e $folder/.key || $(<"$folder/.key") != "$key" ]]; then
  rm -rf --one-file-system "$folder" "$folder.new"
  stage "arm64-$release" "Fetching a Debian for aarch64 into build/arm64-$release" first_stage ||
    skip "debootstrap does not work here: see build/log/arm64-$release.log"
  stage "arm64-$release-setup" "Setting it up, emulated" second_stage ||
    skip "the emulated Debian does not work here: see build/log/arm64-$release-setup.log"
  room_devices "$folder.new" || skip "no device files can be made here"
  stage "arm64-$release-packages" "Installing PHP $php and a compiler in it" room_packages "$folder.new" "${packages[@]}" ||
    skip "no packages: see build/log/arm64-$release-packages.log"
  echo "$key" >"$folder.new/.key"
  mv "$folder.new" "$folder"
fi
room_copy "$folder"
echo "Compiling the extension for PHP $php, emulated; then its tests. Each takes about ten minutes ..."
export SUITES=${SUITES:-build phpt preload} SLOWER=10
room_check "$folder" ""

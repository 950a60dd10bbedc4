#!/bin/sh
# install.sh: the feature "xhprof" of a development container, whose image has PHP with phpize (or Debian's packages of PHP). Root runs
# it while the image is made. RELEASE and TRIGGER are its options, _REMOTE_USER is who works in the container.
set -eu
release=${RELEASE:?address or folder of a release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has() { command -v "$1" >/dev/null 2>&1; }
if has apk; then
  # shellcheck disable=SC2086 # words
  apk add --no-cache curl tar ${PHPIZE_DEPS:-autoconf g++ gcc libc-dev make}
elif has apt-get; then
  apt-get update
  apt-get install -y --no-install-recommends autoconf ca-certificates curl gcc libc6-dev make
  has phpize || apt-get install -y --no-install-recommends php-dev
else
  echo "xhprof: neither apt-get nor apk is here" >&2
  exit 1
fi
has phpize || { echo "xhprof: the image has no PHP with phpize; take an image of PHP, or the feature php first" >&2; exit 1; }

case $release in
  /*) cp "$release"/xhprof-*.tgz "$release/xhprof.phar" "$work/" ;;
  *)
    # Its address ends with the version.
    for file in "xhprof-${release##*/}.tgz" xhprof.phar; do
      curl -fsSL -o "$work/$file" "$release/$file"
    done
    ;;
esac
tar -xzf "$work"/xhprof-*.tgz -C "$work"
cd "$work"/xhprof-*/extension
phpize
./configure
make -j"$(nproc)"
make install
ln -sf "$(php-config --extension-dir)/xhprof-inspect" /usr/local/bin/xhprof-inspect
install -m 0755 "$work/xhprof.phar" /usr/local/bin/xhprof

folder=$(php -r 'echo PHP_CONFIG_FILE_SCAN_DIR;')
[ -n "$folder" ] || { echo "xhprof: this PHP reads no folder of settings: add extension=xhprof.so to its php.ini" >&2; exit 1; }
printf 'extension=xhprof.so\nxhprof.start_with_request=trigger\nxhprof.trigger_value=%s\n' "${TRIGGER:-1}" >"$folder/99-xhprof.ini"
install -d -m 0750 -o "${_REMOTE_USER:-root}" /var/tmp/xhprof
php --ri xhprof >/dev/null
xhprof --version

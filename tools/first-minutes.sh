#!/usr/bin/env bash
# first-minutes.sh [WAY...]: types the ways of docs/first-five-minutes.md (default: all), each in a new Debian that has sudo and no more, as
# a user who may use it, in a folder with the files of a release. Output is TAP, and the rows of that page's table as comments.
# The release is made in build/packages-RELEASE (see packages.sh) and kept in build/first-minutes until the sources change. Needs root and
# debootstrap: exit code 77 without.
#   RELEASE   of Debian (default: bookworm, which has PHP 8.2)
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/room.sh"
find_php
suite=${RELEASE:-bookworm}
steps=("$PHP" "$root/tests/docs/first-minutes.php")
ways=("$@")
[[ ${#ways[@]} -gt 0 ]] || mapfile -t ways < <("${steps[@]}" ways)
release=$root/build/first-minutes/$suite

# What is not in a release does not make another one.
sources_key() {
  tracked . | grep -zvE '^(\./)?(docs|tests|benchmarks|demo|\.ci|\.github|tools/(check|docs|engine|lint|site|types|zts))/' |
    sort -z | (cd "$root" && xargs -0 sha256sum) | digest
}
make_release() {
  cp -R "$root/xhprof_html/assets/vendor" "$above/src/xhprof_html/assets/"
  room_run tools/release.sh
  rm -rf "$release"
  mkdir -p "$release"
  cp -a "$(room_path src/build/release)/." "$release/"
}
room_with_packages "$suite"
key=$(sources_key)
if [[ ! -e $release/.key || $(<"$release/.key") != "$key" ]]; then
  room_layer
  stage "first-minutes-$suite" "Making a release in Debian $suite" make_release
  echo "$key" >"$release/.key"
fi

room_base "first-minutes-$suite" "$suite" ca-certificates sudo
# What a package asks has the answer that it would take by itself, as if its user pressed Enter.
# shellcheck disable=SC2016 # for the inner shell
prepare='useradd --create-home --shell /bin/bash you
  printf "%s\n" "Defaults env_keep += DEBIAN_FRONTEND" "you ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/you
  echo "APT::Get::Assume-Yes \"true\";" >/etc/apt/apt.conf.d/90you
  rm -rf /var/lib/apt/lists/*
  mkdir -p /home/you/.config /home/you/shop
  cp -a /root/.config/. /home/you/.config/
  cp -a /release/. /home/you/shop/
  chown -R you: /home/you
  cd /home/you/shop
  HOME=/home/you USER=you exec setpriv --reuid=you --regid=you --init-groups bash /typed.sh'
php_v=$(find "$release" -name 'php*-xhprof_*.deb' -printf '%f\n' | sed -nE 's/^php([0-9.]+)-.*/\1/p')
number=0 failed=0
for way in "${ways[@]}"; do
  room_bare_layer
  rm -f "$above/root/.config/composer/config.json"
  cp -a "$release" "$above/release"
  port=$("$PHP" -n -r 'echo substr(strrchr(stream_socket_get_name(stream_socket_server("tcp://127.0.0.1:0"), false), ":"), 1);')
  "${steps[@]}" script "$way" "$php_v" "$port" >"$above/typed.sh"
  room_do "$prepare" >"$layers/typed" 2>&1 || true
  "${steps[@]}" result "$way" "$php_v" "$port" "Debian $suite" <"$layers/typed" >"$layers/result" || failed=1
  while IFS= read -r line; do
    [[ ! $line =~ ^(not\ )?ok\ -\  ]] || { number=$((number + 1)); line=${line/ok - /ok $number - }; }
    printf '%s\n' "$line"
  done <"$layers/result"
done
echo "1..$number"
exit "$failed"

#!/usr/bin/env bash
# check.sh: the step of action.yml, which sets the variables INPUT_*. Annotations go to the log, Markdown to the summary of the job
# and into a file, JUnit's XML into another. The exit code is that of `xhprof check`: 3 where a limit is not kept.
set -euo pipefail
out=${RUNNER_TEMP:-$(mktemp -d)}/xhprof-check
mkdir -p "$out"
rm -f "$out/check.md" "$out/check.xml"

runs=()
while IFS= read -r line; do
  [[ -z $line ]] || runs+=("$line")
done <<<"${INPUT_RUNS:-}"
if [[ ${#runs[@]} -eq 0 ]]; then
  echo '::error title=XHProf check::The input "runs" is empty: name the folder of the runs'
  exit 2
fi
options=()
[[ -z ${INPUT_BUDGETS:-} ]] || options+=("--budgets=$INPUT_BUDGETS")
[[ -z ${INPUT_BASELINE:-} ]] || options+=("--baseline=$INPUT_BASELINE")
[[ -z ${INPUT_URL:-} ]] || options+=("--url=$INPUT_URL")
[[ ${INPUT_PARTIAL:-false} != true ]] || options+=(--partial)

status=0
"${INPUT_XHPROF:-vendor/bin/xhprof}" check "${options[@]}" --format=github --format="markdown:$out/check.md" \
  --format="junit:$out/check.xml" -- "${runs[@]}" 2>"$out/errors" || status=$?
if [[ -s $out/errors ]]; then
  cat "$out/errors" >&2
fi
# What is wrong with a file of budgets stands in no line of the log that begins with a command.
if [[ $status -ne 0 && $status -ne 3 ]]; then
  message=$(head -c 2000 "$out/errors")
  message=${message//'%'/'%25'} message=${message//$'\r'/'%0D'} message=${message//$'\n'/'%0A'}
  echo "::error title=XHProf check::$message"
  echo 'XHProf check could not be made: see the log.' >"$out/check.md"
fi
[[ ! -e $out/check.md || -z ${GITHUB_STEP_SUMMARY:-} ]] || cat "$out/check.md" >>"$GITHUB_STEP_SUMMARY"
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  {
    [[ $status -eq 0 ]] && echo passed=true || echo passed=false
    echo "markdown=$out/check.md"
    echo "junit=$out/check.xml"
  } >>"$GITHUB_OUTPUT"
fi
exit "$status"

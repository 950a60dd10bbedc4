<?php

/*
 * kill-at.php PID PATTERN COUNT: kills a process when it has so many more folders of this pattern than now: an insert makes one in
 * each table, a merge one for what it writes. After a minute it kills it in any case.
 */

declare(strict_types=1);

[, $pid, $pattern, $wanted] = $argv + ['', '0', '', '1'];
$folders = static fn (): int => count(glob($pattern, GLOB_ONLYDIR | GLOB_NOSORT) ?: []);
$before = $folders();
$end = time() + 60;
echo "watching\n";
while (is_dir("/proc/$pid") && time() < $end && $folders() < $before + (int) $wanted) {
    usleep(500);
}
posix_kill((int) $pid, 9);

<?php

/*
 * kill-at.php PID FOLDER PARTS: kills a process when its tables in FOLDER have so many more parts than now: an insert makes one in
 * each table, so it is in the middle of one.
 */

declare(strict_types=1);

[, $pid, $folder, $wanted] = $argv + ['', '0', '', '1'];
$parts = static fn (): int => count(glob("$folder/store/*/*/*_*_*_*", GLOB_ONLYDIR | GLOB_NOSORT) ?: []);
$before = $parts();
echo "watching\n";
while (is_dir("/proc/$pid") && $parts() < $before + (int) $wanted) {
    usleep(500);
}
posix_kill((int) $pid, 9);

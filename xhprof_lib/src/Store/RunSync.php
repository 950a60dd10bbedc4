<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;
use XHProf\Run\RunId;

/**
 * Updates the index to the folder's contents. A folder with an unchanged time is unchanged; of a changed one the
 * names are read, and only the files of new runs and of labels.
 *
 * @internal
 */
final class RunSync
{
    /** Runs written at once: each time changes most pages of the index. */
    private const BATCH = 10000;

    /** Bytes of runs without metadata that one call reads for their figures. */
    private const READ_BUDGET = 64 << 20;

    /** The names of a large folder are read again only after this many times the duration of the last reading. */
    private const PAUSE = 10;

    /** Folders with fewer names are read whenever they have changed, however busy the machine is. */
    private const MANY = 20000;

    public function __construct(private readonly FolderFiles $runs, private readonly RunIndex $index)
    {
    }

    /**
     * @param float|null $seconds it may take to read new runs; null for as long as it takes
     *
     * @return int runs of the folder that are still to be read
     *
     * @throws StoreError if the folder cannot be read
     */
    public function run(?float $seconds): int
    {
        $state = $this->index->state();
        $changed = $this->runs->folder->changed();
        if ($state['settled'] && $changed !== null && $changed === $state['changed']) {
            return 0;
        }
        $started = microtime(true);
        $age = $started - $state['scanned'];
        $isPaused = $age >= 0 && $age < $state['took'] * self::PAUSE;
        if ($seconds !== null && $isPaused && $state['pending'] === 0) {
            return 0;
        }
        // Before the file names: a run added by another process in between must not look like a run whose files are gone.
        $known = $this->index->names();
        $names = array_flip($this->runs->folder->names());
        $runs = [];
        $hasSnapshots = false;
        $waiting = [];
        foreach ($names as $name => $_) {
            $text = RunId::textOf((string) $name);
            if ($text !== null) {
                $runs[$text] = true;
            } elseif (WaitingRequests::isName((string) $name)) {
                $waiting[] = (string) $name;
            } elseif (!$hasSnapshots) {
                $hasSnapshots = SnapshotName::ofFile((string) $name) !== null;
            }
        }
        $this->index->remove(array_map(strval(...), array_keys(array_diff_key($known, $runs))));
        $this->labels($names, $known);
        $took = count($names) < self::MANY ? 0.0 : microtime(true) - $started;
        $pending = $this->add(array_diff_key($runs, $known), $names, $seconds === null ? null : microtime(true) + $seconds);
        $this->index->setState([
            'changed' => $changed,
            // Changes later in this second leave the folder's time as it is; and its clock may lag a little.
            'settled' => $pending === 0 && $changed !== null && $started >= $changed + 2,
            'scanned' => microtime(true),
            'took' => $took,
            'pending' => $pending,
            'snapshots' => $hasSnapshots,
            'waiting' => $waiting,
        ]);

        return $pending;
    }

    /**
     * @param array<array-key, mixed> $new   "id.source" as keys
     * @param array<array-key, mixed> $names of the folder, as keys
     * @param float|null              $until
     *
     * @return int how many are left
     */
    private function add(array $new, array $names, ?float $until): int
    {
        $total = count($new);
        $done = 0;
        $budget = self::READ_BUDGET;
        $batch = [];
        foreach ($new as $text => $_) {
            $id = RunId::fromFileName("$text." . RunId::RUN);
            $run = $id === null ? null : $this->runs->entry($id, $names, $budget);
            if ($run !== null) {
                $batch[] = $run;
            }
            $done++;
            if (count($batch) === self::BATCH) {
                $this->index->put($batch);
                $batch = [];
            }
            if ($until !== null && $done % 16 === 0 && microtime(true) > $until) {
                break;
            }
        }
        $this->index->put($batch);

        return $total - $done;
    }

    /**
     * Labels are added, removed and changed without their runs.
     *
     * @param array<array-key, mixed> $names of the folder, as keys
     * @param array<array-key, mixed> $known "id.source" as keys
     */
    private function labels(array $names, array $known): void
    {
        $stamps = $this->index->labelled();
        $suspects = array_fill_keys(array_keys($stamps), true);
        foreach ($names as $name => $_) {
            if (str_ends_with((string) $name, '.label.json')) {
                $suspects[substr((string) $name, 0, -11)] = true;
            }
        }
        $budget = self::READ_BUDGET;
        $changed = [];
        foreach (array_intersect_key($suspects, $known) as $text => $_) {
            $id = RunId::fromFileName("$text." . RunId::RUN);
            if ($id === null || ($stamps[$text] ?? null) === $this->runs->stamp($id, $names)[0]) {
                continue;
            }
            $run = $this->runs->entry($id, $names, $budget);
            if ($run !== null) {
                $changed[] = $run;
            }
        }
        $this->index->put($changed);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Store;

use PDOException;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;

/**
 * The runs of a folder, to be searched, filtered, sorted and paged: from an index in SQLite, or, if there can be none, from
 * the files on every call. Pages of up to 1000 runs are checked against the files.
 */
final class RunCatalog
{
    /** Without an index: bytes of runs without metadata that are read for their figures. */
    private const READ_BUDGET = 4 << 20;

    private const MAX_CHOICES = 200;

    /** Routes of windows that are added up, some 0.3 s: a day of one host's windows with a dozen routes. */
    private const MAX_WINDOW_ROUTES = 20000;

    /** Looking at the files of more runs than this takes longer than the index saves. */
    private const MAX_CHECKED = 1000;

    private RunIndex|null|false $index = false;

    private bool $isSynced = false;

    private int $pending = 0;

    /** @var list<RunEntry>|null all runs, where there is no index */
    private ?array $runs = null;

    /**
     * @internal see RunStore::catalog()
     *
     * @param bool $indexed false to do without an index
     */
    public function __construct(private readonly Folder $folder, private readonly RunReader $reader, bool $indexed = true)
    {
        $this->index = $indexed ? false : null;
    }

    /**
     * @return bool whether there is an index; without one, large folders are slow
     */
    public function isIndexed(): bool
    {
        return $this->index() !== null;
    }

    /**
     * Brings the index up to date; the first find() does it too.
     *
     * @param float|null                      $seconds  time limit for reading new runs, null for none
     * @param (\Closure(int, int): void)|null $progress called with the number of runs read and of all
     *
     * @return int runs of the folder not yet read
     *
     * @throws StoreError if the folder cannot be read
     */
    public function sync(?float $seconds = null, ?\Closure $progress = null): int
    {
        $this->isSynced = true;
        $this->pending = $this->withIndex(function (RunIndex $index) use ($seconds, $progress): int {
            try {
                return (new RunSync($this->folder, $this->reader, $index, $progress))->run($seconds);
            } catch (PDOException $e) {
                // Another process is writing it: its present contents are better than reading all files here.
                return RunIndex::isBusy($e) ? $index->state()['pending'] : throw $e;
            }
        }, static fn (): int => 0);

        return $this->pending;
    }

    /**
     * @throws StoreError if the folder cannot be read
     */
    public function find(RunQuery $query, int $limit, int $offset = 0): RunListing
    {
        $this->ensureSynced();

        return $this->withIndex(function (RunIndex $index) use ($query, $limit, $offset): RunListing {
            $sql = new IndexQuery($query);
            // Tries again if files had changed since the index read them.
            for ($try = 0; $try < 3; $try++) {
                $runs = $index->runs($sql->page($limit, $offset), $sql->values);
                if ($limit > self::MAX_CHECKED || !$this->rereadChanged($index, $runs)) {
                    break;
                }
            }
            $total = (int) $index->column('SELECT count(*) FROM runs')[0];
            $matches = match (true) {
                !$query->isFiltered() && !$query->single => $total,
                $offset === 0 && count($runs) < $limit => count($runs),
                default => (int) $index->column($sql->count(), $sql->values)[0],
            };

            return new RunListing($runs, $matches, $total + $this->pending, $this->pending);
        }, function () use ($query, $limit, $offset): RunListing {
            $found = $this->matching($query);

            return new RunListing(array_slice($found, $offset, $limit), count($found), count($this->scan()), 0);
        });
    }

    /**
     * @return bool whether the folder has heap snapshots too
     *
     * @throws StoreError if the folder cannot be read
     */
    public function hasSnapshots(): bool
    {
        $this->ensureSynced();

        return $this->withIndex(static fn (RunIndex $index): bool => $index->state()['snapshots'], function (): bool {
            foreach ($this->folder->names() as $name) {
                if (SnapshotName::ofFile($name) !== null) {
                    return true;
                }
            }

            return false;
        });
    }

    /**
     * @return list<RunId> all that the query finds, in its order
     *
     * @throws StoreError if the folder cannot be read
     */
    public function ids(RunQuery $query): array
    {
        $this->ensureSynced();

        return $this->withIndex(static function (RunIndex $index) use ($query): array {
            $sql = new IndexQuery($query);

            return $index->ids($sql->names(), $sql->values);
        }, fn (): array => array_map(static fn (RunEntry $run): RunId => $run->id, $this->matching($query)));
    }

    /**
     * Those whose names are most like the given ones: with them it shows which beginnings are unique.
     *
     * @param list<RunId> $ids
     *
     * @return list<RunId> the given ones too
     *
     * @throws StoreError if the folder cannot be read
     */
    public function alike(array $ids): array
    {
        if (count($ids) > self::MAX_CHECKED || !$this->isIndexed()) {
            return $this->ids(new RunQuery());
        }

        return $this->withIndex(static function (RunIndex $index) use ($ids): array {
            $found = [];
            foreach ($ids as $id) {
                $name = (string) $id;
                $found[$name] = $id;
                foreach (['max(name) FROM runs WHERE name <', 'min(name) FROM runs WHERE name >'] as $sql) {
                    foreach (array_filter($index->column("SELECT $sql ?", [$name])) as $other) {
                        $found[$other] = RunIndex::id($other);
                    }
                }
            }

            return array_values($found);
        }, fn (): array => $this->ids(new RunQuery()));
    }

    /**
     * Requests that wait to be saved as a part of an aggregate.
     *
     * @throws StoreError if the folder cannot be read
     */
    public function waiting(): WaitingRequests
    {
        $this->ensureSynced();
        $folder = $this->folder->path;

        return $this->withIndex(
            static fn (RunIndex $index): WaitingRequests => WaitingRequests::of($folder, $index->state()['waiting']),
            static fn (): WaitingRequests => WaitingRequests::in($folder),
        );
    }

    /**
     * Groups requests and jobs by route or name.
     *
     * @return list<RouteRuns> in no order
     *
     * @throws StoreError if the folder cannot be read
     */
    public function routes(RunQuery $query): array
    {
        $this->ensureSynced();

        return $this->withIndex(static function (RunIndex $index) use ($query): array {
            $sql = new IndexQuery($query);

            return RouteRuns::fromRows($index->each($sql->routes(), $sql->values));
        }, function () use ($query): array {
            $runs = $this->matching($query);
            $rows = array_map(static fn (RunEntry $run): array
                => [$run->route, $run->wall, (int) $run->failed, (string) $run->id], $runs);
            usort($rows, static fn (array $a, array $b): int => [$a[0], $a[1] ?? -1, $a[3]] <=> [$b[0], $b[1] ?? -1, $b[3]]);

            return RouteRuns::fromRows($rows);
        });
    }

    /**
     * Adds up the aggregates that the query finds, by route and over time; of very many only the newest.
     *
     * @throws StoreError if the folder cannot be read
     */
    public function requestTotals(RunQuery $query): RequestTotals
    {
        $this->ensureSynced();

        return $this->withIndex(static function (RunIndex $index) use ($query): RequestTotals {
            $sql = new IndexQuery($query);
            $rows = $index->each($sql->windows(self::MAX_WINDOW_ROUTES), $sql->values);

            return RequestTotals::fromRows($rows, self::MAX_WINDOW_ROUTES);
        }, fn (): RequestTotals => RequestTotals::fromWindows($this->matching($query), self::MAX_WINDOW_ROUTES));
    }

    /**
     * @return RunEntry|null null if there is no such run
     */
    public function entry(RunId $id): ?RunEntry
    {
        $budget = self::READ_BUDGET;

        return $this->reader->entry($id, null, $budget);
    }

    /**
     * The values to choose from.
     *
     * @return array{sources: list<string>, hosts: list<string>, tags: list<string>} in order
     *
     * @throws StoreError if the folder cannot be read
     */
    public function choices(): array
    {
        $this->ensureSynced();
        $choices = $this->withIndex(static fn (RunIndex $index): array => [
            'sources' => $index->choices('source', self::MAX_CHOICES),
            'hosts' => $index->choices('host', self::MAX_CHOICES),
            'tags' => explode("\n", implode('', $index->column('SELECT DISTINCT tags FROM runs WHERE labelled = 1'))),
        ], fn (): array => [
            'sources' => array_map(static fn (RunEntry $run): string => $run->id->source, $this->scan()),
            'hosts' => array_map(static fn (RunEntry $run): string => $run->host, $this->scan()),
            'tags' => array_merge(...array_map(static fn (RunEntry $run): array => $run->label->tags, $this->scan())),
        ]);

        return array_map(static function (array $choices): array {
            $choices = array_values(array_unique(array_filter($choices, static fn (string $choice): bool => $choice !== '')));
            sort($choices, SORT_STRING | SORT_FLAG_CASE);

            return array_slice($choices, 0, self::MAX_CHOICES);
        }, $choices);
    }

    /**
     * Updates a changed run in the index, if there is one already.
     *
     * @internal
     */
    public function refresh(RunId $id): void
    {
        $this->runs = null;
        if ($this->isUsed()) {
            $run = $this->entry($id);
            $this->withIndex(static function (RunIndex $index) use ($run, $id): void {
                $run === null ? $index->remove([(string) $id]) : $index->put([$run]);
            }, static fn () => null);
        }
    }

    /** @internal */
    public function forget(RunId $id): void
    {
        $this->runs = null;
        if ($this->isUsed()) {
            $this->withIndex(static fn (RunIndex $index) => $index->remove([(string) $id]), static fn () => null);
        }
    }

    /**
     * Reads runs again whose files have changed.
     *
     * @param list<RunEntry> $runs
     *
     * @return bool whether there were such runs
     */
    private function rereadChanged(RunIndex $index, array $runs): bool
    {
        $changed = [];
        $removed = [];
        foreach ($runs as $run) {
            if ($this->reader->stamp($run->id)[0] !== $run->stamp) {
                $now = $this->entry($run->id);
                if ($now === null) {
                    $removed[] = (string) $run->id;
                } else {
                    $changed[] = $now;
                }
            }
        }
        try {
            $index->put($changed);
            $index->remove($removed);
        } catch (PDOException $e) {
            return RunIndex::isBusy($e) ? false : throw $e;
        }

        return $changed !== [] || $removed !== [];
    }

    private function ensureSynced(): void
    {
        if (!$this->isSynced) {
            $this->sync();
        }
    }

    /** Whether an index exists: a program that only saves runs makes none. */
    private function isUsed(): bool
    {
        return $this->index !== false || is_file($this->folder->path . '/' . IndexFile::NAME);
    }

    private function index(): ?RunIndex
    {
        if ($this->index === false) {
            $file = extension_loaded('pdo_sqlite') && is_dir($this->folder->path) ? IndexFile::of($this->folder) : null;
            $this->index = $file === null ? null : RunIndex::open($file);
        }

        return $this->index;
    }

    /**
     * @template T
     *
     * @param \Closure(RunIndex): T $work
     * @param \Closure(): T         $fallback does the same where there is no index, or it cannot be used any more
     *
     * @return T
     */
    private function withIndex(\Closure $work, \Closure $fallback): mixed
    {
        $index = $this->index();
        if ($index === null) {
            return $fallback();
        }
        try {
            return $work($index);
        } catch (PDOException $e) {
            if (RunIndex::isDamage($e)) {
                RunIndex::discard((string) IndexFile::of($this->folder));
            }
            // Another process keeps it busy, the disk is full or it is damaged: use the files, which hold the same.
            $this->index = null;
            $this->pending = 0;

            return $fallback();
        }
    }

    /**
     * @return list<RunEntry>
     */
    private function matching(RunQuery $query): array
    {
        $runs = array_values(array_filter($this->scan(), $query->matches(...)));
        usort($runs, $query->compare(...));

        return $runs;
    }

    /**
     * @return list<RunEntry> all runs of the folder
     */
    private function scan(): array
    {
        if ($this->runs === null) {
            $names = array_flip($this->folder->names());
            $budget = self::READ_BUDGET;
            $this->runs = [];
            foreach ($names as $name => $_) {
                $id = RunId::fromFileName((string) $name);
                $isShadowed = $id !== null && $id->fileName() !== (string) $name && isset($names[$id->fileName()]);
                $run = $id === null || $isShadowed ? null : $this->reader->entry($id, $names, $budget);
                if ($run !== null) {
                    $this->runs[] = $run;
                }
            }
        }

        return $this->runs;
    }
}

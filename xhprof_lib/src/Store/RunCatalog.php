<?php

declare(strict_types=1);

namespace XHProf\Store;

use PDOException;
use XHProf\Exception\StoreError;
use XHProf\Run\RunId;

/**
 * The runs of a folder, to be searched, filtered, sorted and paged: by an index in SQLite, in memory where no file may be written.
 * Pages of up to 1000 runs are checked against the files.
 */
final class RunCatalog
{
    private const MAX_CHOICES = 200;

    /** Routes of windows that are added up, some 0.3 s: a day of one host's windows with a dozen routes. */
    private const MAX_WINDOW_ROUTES = 20000;

    /** Looking at the files of more runs than this takes longer than the index saves. */
    private const MAX_CHECKED = 1000;

    private ?RunIndex $index = null;

    private bool $isSynced = false;

    private int $pending = 0;

    /**
     * @internal see RunFolder::catalog()
     *
     * @param bool $isKept false for an index in memory
     */
    public function __construct(private readonly FolderFiles $runs, private bool $isKept = true)
    {
    }

    /**
     * @return bool whether the index is kept in a file; without one, large folders are slow
     */
    public function isIndexed(): bool
    {
        $this->index();

        return $this->isKept;
    }

    /**
     * Brings the index up to date; the first find() does it too.
     *
     * @param float|null $seconds time limit for reading new runs, null for none; an index in memory has
     *     no other time, and takes what it needs
     *
     * @return int runs of the folder not yet read
     *
     * @throws StoreError if the folder cannot be read
     */
    public function sync(?float $seconds = null): int
    {
        $this->isSynced = true;
        $this->pending = $this->withIndex(function (RunIndex $index) use ($seconds): int {
            try {
                return (new RunSync($this->runs, $index))->run($this->isKept ? $seconds : null);
            } catch (PDOException $e) {
                // Another process is writing it: its present contents are better than reading all files here.
                return RunIndex::isBusy($e) ? $index->state()['pending'] : throw $e;
            }
        });

        return $this->pending;
    }

    /**
     * @throws StoreError if the folder cannot be read
     */
    public function find(RunQuery $query, int $limit, int $offset = 0): RunListing
    {
        return $this->synced(function (RunIndex $index) use ($query, $limit, $offset): RunListing {
            $sql = new IndexQuery($query);
            // Tries again if files had changed since the index read them.
            for ($try = 0; $try < 3; $try++) {
                $runs = $index->runs($sql->page($limit, $offset), $sql->values);
                if (count($runs) > self::MAX_CHECKED || !$this->rereadChanged($index, $runs)) {
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
        });
    }

    /**
     * @return bool whether the folder has heap snapshots too
     *
     * @throws StoreError if the folder cannot be read
     */
    public function hasSnapshots(): bool
    {
        return $this->synced(static fn (RunIndex $index): bool => $index->state()['snapshots']);
    }

    /**
     * @return list<RunId> all that the query finds, in its order
     *
     * @throws StoreError if the folder cannot be read
     */
    public function ids(RunQuery $query): array
    {
        $sql = new IndexQuery($query);

        return $this->synced(static fn (RunIndex $index): array => $index->ids($sql->names(), $sql->values));
    }

    /**
     * Finds the runs whose names are most like the given ones: compared with these, it shows which beginnings of names are unique.
     *
     * @param list<RunId> $ids
     *
     * @return list<RunId> the given ones too
     *
     * @throws StoreError if the folder cannot be read
     */
    public function alike(array $ids): array
    {
        if (count($ids) > self::MAX_CHECKED) {
            return $this->ids(new RunQuery());
        }

        return $this->synced(static function (RunIndex $index) use ($ids): array {
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
        });
    }

    /**
     * Requests that wait to be saved as a part of a window.
     *
     * @throws StoreError if the folder cannot be read
     */
    public function waiting(): WaitingRequests
    {
        $folder = $this->runs->folder->path;

        return $this->synced(static fn (RunIndex $index): WaitingRequests
            => WaitingRequests::inFiles($folder, $index->state()['waiting']));
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
        $sql = new IndexQuery($query);

        return $this->synced(static fn (RunIndex $index): array => RouteRuns::fromRows($index->each($sql->routes(), $sql->values)));
    }

    /**
     * Adds up the windows that the query finds, by route and over time; of very many only the newest.
     *
     * @throws StoreError if the folder cannot be read
     */
    public function requestTotals(RunQuery $query): RequestTotals
    {
        $sql = new IndexQuery($query);

        return $this->synced(static fn (RunIndex $index): RequestTotals => RequestTotals::fromRows(
            $index->each($sql->windows(self::MAX_WINDOW_ROUTES), $sql->values),
            self::MAX_WINDOW_ROUTES,
        ));
    }

    /**
     * The release of a source that was seen first last. A Git revision is one where releases have no name.
     *
     * @return array{name: string, began: float}|null null where no run says its release
     *
     * @throws StoreError if the folder cannot be read
     */
    public function lastRelease(string $source = ''): ?array
    {
        $sql = IndexQuery::RELEASES . ' ORDER BY began DESC LIMIT 1';

        return $this->synced(static function (RunIndex $index) use ($sql, $source): ?array {
            foreach ($index->each($sql, [$source, $source]) as [$began, $name]) {
                return ['name' => (string) $name, 'began' => (float) $began];
            }

            return null;
        });
    }

    /**
     * The runs nearest to the range of time of a query, for which there are none in it.
     *
     * @return array{before: float|null, after: float|null} when they began; null where there is none
     *
     * @throws StoreError if the folder cannot be read
     */
    public function nearest(RunQuery $query): array
    {
        $any = ['from' => null, 'until' => null, 'sinceRelease' => false, 'sort' => 'time'];
        $began = fn (array $own): ?float => ($this->find($query->with($own + $any), 1)->runs[0] ?? null)?->time;

        return [
            'before' => $query->from === null ? null : $began(['until' => $query->from, 'descending' => true]),
            'after' => $query->until === null ? null : $began(['from' => $query->until, 'descending' => false]),
        ];
    }

    /**
     * What was computed of runs and kept: see keepNotes().
     *
     * @param list<RunEntry> $runs
     * @param string         $maker changes with what computes the notes
     *
     * @return array<string, string> by "id.source", those that are known and not out of date
     *
     * @throws StoreError if the folder cannot be read
     */
    public function notes(array $runs, string $maker): array
    {
        return $runs === [] ? [] : $this->synced(static fn (RunIndex $index): array => $index->notes($runs, $maker));
    }

    /**
     * Keeps notes in the index, as long as the runs are what they were. Where it cannot be written they are computed again.
     *
     * @param list<array{RunEntry, string}> $notes
     */
    public function keepNotes(array $notes, string $maker): void
    {
        if ($notes === []) {
            return;
        }
        try {
            $this->index()->putNotes($notes, $maker);
        } catch (PDOException | StoreError) {
            // Another process writes it, or the disk is full.
        }
    }

    /**
     * @return RunEntry|null null if there is no such run
     */
    public function entry(RunId $id): ?RunEntry
    {
        return $this->runs->entry($id);
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
        $choices = $this->synced(static fn (RunIndex $index): array => [
            'sources' => $index->choices('source', self::MAX_CHOICES),
            'hosts' => $index->choices('host', self::MAX_CHOICES),
            'tags' => explode("\n", implode('', $index->column('SELECT DISTINCT tags FROM runs WHERE labelled = 1'))),
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
        if ($this->isUsed()) {
            $run = $this->entry($id);
            $this->withIndex(static function (RunIndex $index) use ($run, $id): void {
                $run === null ? $index->remove([(string) $id]) : $index->put([$run]);
            });
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
            if ($this->runs->stamp($run->id)[0] !== $run->stamp) {
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

    /**
     * @template T
     *
     * @param \Closure(RunIndex): T $work with an index that has been brought up to date
     *
     * @return T
     *
     * @throws StoreError if the folder cannot be read
     */
    private function synced(\Closure $work): mixed
    {
        if (!$this->isSynced) {
            $this->sync();
        }

        return $this->withIndex($work);
    }

    /** Whether an index exists that this PHP can change: a program that only saves runs makes none. */
    private function isUsed(): bool
    {
        return $this->index !== null
            || (RunIndex::isPossible() && is_file($this->runs->folder->path . '/' . RunIndexFile::NAME));
    }

    /** @throws StoreError if this PHP has no SQLite */
    private function index(): RunIndex
    {
        if ($this->index === null) {
            $file = $this->isKept && is_dir($this->runs->folder->path) ? RunIndexFile::locate($this->runs->folder) : null;
            $this->index = $file === null ? null : RunIndex::open($file);
            $this->isKept = $this->index !== null;
        }

        return $this->index ??= RunIndex::inMemory();
    }

    /**
     * @template T
     *
     * @param \Closure(RunIndex): T $work
     *
     * @return T
     *
     * @throws StoreError if the folder cannot be read, or this PHP has no SQLite
     */
    private function withIndex(\Closure $work): mixed
    {
        $index = $this->index();
        try {
            return $work($index);
        } catch (PDOException $e) {
            if (!$this->isKept) {
                throw new StoreError("the list of {$this->runs->folder->path} cannot be made: {$e->getMessage()}", 0, $e);
            }
            if (RunIndex::isDamage($e)) {
                RunIndex::discard((string) RunIndexFile::locate($this->runs->folder));
            }
            // Another process keeps it busy, the disk is full or it is damaged: the files hold the same.
            $this->isKept = false;
            $this->index = RunIndex::inMemory();
            $this->sync();

            return $work($this->index);
        }
    }
}

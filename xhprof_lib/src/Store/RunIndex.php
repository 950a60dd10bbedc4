<?php

declare(strict_types=1);

namespace XHProf\Store;

use PDO;
use PDOException;
use PDOStatement;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\Format\JsonText;
use XHProf\Run\RequestWindow;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;

/**
 * The lists' view of all runs of a folder, in SQLite. A copy of the files' data, rebuilt whenever it is lost, damaged or
 * of another version; file names come out of it only through RunId. Several processes may use it at once.
 *
 * @internal
 *
 * @phpstan-type State array{changed: int|null, settled: bool, scanned: float, took: float, pending: int, snapshots: bool,
 *     waiting: list<string>}
 */
final class RunIndex
{
    /** Changes with the tables and with the data read from the files. */
    private const VERSION = 23;

    /** "XHPR" */
    private const APPLICATION = 0x58485052;

    /** SQLite's code for a damaged file. */
    private const CORRUPT = 11;

    /** Names in one question. */
    private const AT_ONCE = 500;

    /** What an entry of it has of the metadata, beside the origin. */
    private const META = [
        'id', 'source', 'ts', 'start', 'mode', 'ended_by', 'failed', 'other_fibers', 'suspended_us', 'samples',
        'sample_interval_us', 'sampling', 'sample_rate', 'duration_us', 'peak_memory', 'calls', 'totals',
    ];

    private const FLAGS = JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION
        | JSON_PARTIAL_OUTPUT_ON_ERROR;

    private const COLUMNS = [
        'name', 'time', 'stamp', 'size', 'title', 'url', 'host', 'wt', 'cpu', 'mu', 'pmu', 'ct', 'meta', 'error', 'pinned', 'tags',
        'note', 'label_error', 'labelled', 'source', 'search', 'start', 'route', 'status', 'failed',
        'release',
    ];

    private const SCHEMA = [
        'CREATE TABLE runs (name TEXT PRIMARY KEY, time REAL, stamp TEXT, size INT, title TEXT, url TEXT, host TEXT,
            wt INT, cpu INT, mu INT, pmu INT, ct INT, meta TEXT, error TEXT,
            pinned INT, tags TEXT, note TEXT, label_error TEXT, labelled INT, source TEXT, search TEXT,
            start TEXT, route TEXT, status INT, failed INT, release TEXT) WITHOUT ROWID',
        // The routes of windows, as the metadata have them.
        'CREATE TABLE windows (name TEXT, route TEXT, seconds INT, figures TEXT, PRIMARY KEY (name, route)) WITHOUT ROWID',
        // What was computed of a run, by its stamp and what computed it.
        'CREATE TABLE notes (name TEXT PRIMARY KEY, stamp TEXT, maker TEXT, note TEXT) WITHOUT ROWID',
        'CREATE TABLE state (one INT PRIMARY KEY CHECK (one = 1), changed INT, settled INT, scanned REAL, took REAL, pending INT,
            snapshots INT, waiting TEXT)',
        "INSERT INTO state VALUES (1, NULL, 0, 0, 0, 0, 0, '')",
        // A quarter of the table: filtering by text or sorting by a rarer column needs this index alone. Lists ask each for start.
        'CREATE INDEX by_time ON runs (time, name, search, start, cpu, mu, pmu, ct, size)',
        'CREATE INDEX by_wt ON runs (wt, name, time, start, cpu, mu, pmu, ct, size)',
        'CREATE INDEX by_source ON runs (source, time, name, host, wt, start)',
        'CREATE INDEX by_host ON runs (host, time, name, source, wt, start)',
        'CREATE INDEX by_start ON runs (start, time, name, source, host, wt, status)',
        // All columns of the page of requests, in the order in which it adds up.
        'CREATE INDEX by_route ON runs (route, wt, name, time, source, host, start, failed)',
        'CREATE INDEX by_release ON runs (release, time, source)',
        'CREATE INDEX labelled ON runs (labelled, time, name)',
    ];

    private function __construct(private readonly PDO $pdo)
    {
    }

    /**
     * @param string $file as RunIndexFile names it
     *
     * @return self|null null where the file cannot be used
     *
     * @throws StoreError if this PHP has no SQLite
     */
    public static function open(string $file): ?self
    {
        self::requireSqlite();
        for ($try = 0; $try < 2; $try++) {
            try {
                return self::prepared(new PDO("sqlite:$file", options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]));
            } catch (PDOException $e) {
                if (!self::isDamage($e)) {
                    return null;
                }
                self::discard($file);
            }
        }

        return null;
    }

    /**
     * An empty one.
     *
     * @throws StoreError if this PHP has no SQLite
     */
    public static function inMemory(): self
    {
        self::requireSqlite();

        return self::prepared(new PDO('sqlite::memory:', options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]));
    }

    /** Whether this PHP has SQLite. */
    public static function isPossible(): bool
    {
        return extension_loaded('pdo_sqlite');
    }

    /** @throws StoreError */
    private static function requireSqlite(): void
    {
        if (!self::isPossible()) {
            throw new StoreError("lists of runs need PHP's extension pdo_sqlite; its package is php-sqlite3 (Debian, Ubuntu), "
                . 'php-pdo (Fedora) or php' . PHP_MAJOR_VERSION . PHP_MINOR_VERSION . '-pdo_sqlite (Alpine)');
        }
    }

    /** Whether the error means that the file is damaged or not this index. */
    public static function isDamage(PDOException $e): bool
    {
        // SQLITE_ERROR, also "no such column"; SQLITE_CORRUPT, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_NOTADB
        return in_array((int) ($e->errorInfo[1] ?? $e->getCode()), [1, self::CORRUPT, 17, 20, 26], true);
    }

    /** Whether another process holds it for longer than the busy timeout. */
    public static function isBusy(PDOException $e): bool
    {
        // SQLITE_BUSY, SQLITE_LOCKED
        return in_array((int) ($e->errorInfo[1] ?? $e->getCode()), [5, 6], true);
    }

    /** Empties the file; it is not removed, because another process may have it open. */
    public static function discard(string $file): void
    {
        Folder::attempt(static fn (): bool => @unlink("$file-journal"));
        $own = UserCache::open($file, 'r+b');
        if ($own !== null) {
            ftruncate($own->stream, 0);
            fclose($own->stream);
        }
    }

    /** @return State */
    public function state(): array
    {
        $row = $this->rows('SELECT * FROM state')->fetch(PDO::FETCH_ASSOC) ?: [];

        return [
            'changed' => isset($row['changed']) ? (int) $row['changed'] : null,
            'settled' => (bool) ($row['settled'] ?? false),
            'scanned' => (float) ($row['scanned'] ?? 0),
            'took' => (float) ($row['took'] ?? 0),
            'pending' => (int) ($row['pending'] ?? 0),
            'snapshots' => (bool) ($row['snapshots'] ?? false),
            'waiting' => array_values(array_filter(explode('/', (string) ($row['waiting'] ?? '')), WaitingRequests::isName(...))),
        ];
    }

    /** @param State $state */
    public function setState(array $state): void
    {
        $columns = 'changed = ?, settled = ?, scanned = ?, took = ?, pending = ?, snapshots = ?, waiting = ?';
        $this->pdo->prepare("UPDATE state SET $columns")->execute([
            $state['changed'], (int) $state['settled'], $state['scanned'], $state['took'], $state['pending'],
            (int) $state['snapshots'], implode('/', $state['waiting']),
        ]);
    }

    /** @return array<string, int> "id.source" of every run that is known, as keys */
    public function names(): array
    {
        return array_flip($this->column('SELECT name FROM runs'));
    }

    /** @return array<string, string> stamp by "id.source" of those that have a label */
    public function labelled(): array
    {
        return $this->rows('SELECT name, stamp FROM runs WHERE labelled = 1')->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    /**
     * @param list<RunEntry> $runs
     */
    public function put(array $runs): void
    {
        if ($runs === []) {
            return;
        }
        $placeholders = implode(', ', array_fill(0, count(self::COLUMNS), '?'));
        $this->transaction(function () use ($runs, $placeholders): void {
            $statement = $this->pdo->prepare('REPLACE INTO runs (' . implode(', ', self::COLUMNS) . ") VALUES ($placeholders)");
            foreach ($runs as $run) {
                $statement->execute(self::row($run));
                $this->putWindow((string) $run->id, $run->meta->window);
            }
        });
    }

    /**
     * @param list<string> $names "id.source"
     */
    public function remove(array $names): void
    {
        if ($names === []) {
            return;
        }
        $this->transaction(function () use ($names): void {
            $statement = $this->pdo->prepare('DELETE FROM runs WHERE name = ?');
            $notes = $this->pdo->prepare('DELETE FROM notes WHERE name = ?');
            foreach ($names as $name) {
                $statement->execute([$name]);
                $notes->execute([$name]);
                $this->putWindow($name, null);
            }
        });
    }

    /**
     * @param list<RunEntry> $runs
     * @param string         $maker of the notes: those of another are out of date, as are those of a run that has changed since
     *
     * @return array<string, string> by "id.source", those that are known
     */
    public function notes(array $runs, string $maker): array
    {
        $stamps = [];
        foreach ($runs as $run) {
            $stamps[(string) $run->id] = $run->stamp;
        }
        $notes = [];
        foreach (array_chunk(array_keys($stamps), self::AT_ONCE) as $names) {
            $places = implode(', ', array_fill(0, count($names), '?'));
            $sql = "SELECT name, stamp, note FROM notes WHERE maker = ? AND name IN ($places)";
            foreach ($this->each($sql, [$maker, ...array_map(strval(...), $names)]) as [$name, $stamp, $note]) {
                if ($stamp === ($stamps[(string) $name] ?? null)) {
                    $notes[(string) $name] = (string) $note;
                }
            }
        }

        return $notes;
    }

    /**
     * @param list<array{RunEntry, string}> $notes of runs
     * @param string                        $maker see notes()
     */
    public function putNotes(array $notes, string $maker): void
    {
        $this->transaction(function () use ($notes, $maker): void {
            $statement = $this->pdo->prepare('REPLACE INTO notes VALUES (?, ?, ?, ?)');
            foreach ($notes as [$run, $note]) {
                $statement->execute([(string) $run->id, $run->stamp, $maker, $note]);
            }
        });
    }

    private function putWindow(string $name, ?RequestWindow $window): void
    {
        $this->rows('DELETE FROM windows WHERE name = ?', [$name]);
        $insert = $this->pdo->prepare('INSERT INTO windows VALUES (?, ?, ?, ?)');
        foreach ($window?->routes() ?? [] as $route) {
            $figures = json_encode($window?->routeStats($route)?->toArray());
            $insert->execute([$name, $route, (int) $window?->length(), (string) $figures]);
        }
    }

    /**
     * @param list<string|int|float> $values
     *
     * @return list<RunEntry>
     *
     * @throws PDOException damage, if a row names no run
     */
    public function runs(string $sql, array $values = []): array
    {
        $statement = $this->rows($sql, $values);
        $runs = [];
        while (is_array($row = $statement->fetch(PDO::FETCH_ASSOC))) {
            $runs[] = self::entry($row);
        }

        return $runs;
    }

    /**
     * @param list<string|int|float> $values
     *
     * @return list<RunId> of the first column
     *
     * @throws PDOException as runs()
     */
    public function ids(string $sql, array $values = []): array
    {
        return array_map(self::id(...), $this->column($sql, $values));
    }

    /**
     * @param list<string|int|float> $values
     *
     * @return list<string> the first column
     */
    public function column(string $sql, array $values = []): array
    {
        return array_values(array_map(strval(...), $this->rows($sql, $values)->fetchAll(PDO::FETCH_COLUMN)));
    }

    /**
     * @param 'source'|'host' $column
     *
     * @return list<string> its values, each once
     */
    public function choices(string $column, int $most): array
    {
        $found = [];
        $last = '';
        // Steps through the index, not through all rows.
        while (count($found) < $most) {
            $next = $this->column("SELECT min($column) FROM runs WHERE $column > ?", [$last])[0] ?? '';
            if ($next === '') {
                break;
            }
            $found[] = $last = $next;
        }

        return $found;
    }

    /**
     * @param list<string|int|float> $values
     *
     * @return iterable<array<int, string|int|float|null>> rows as lists
     */
    public function each(string $sql, array $values = []): iterable
    {
        $statement = $this->rows($sql, $values);
        while (is_array($row = $statement->fetch(PDO::FETCH_NUM))) {
            yield $row;
        }
    }

    /**
     * @param list<string|int|float> $values
     */
    private function rows(string $sql, array $values = []): PDOStatement
    {
        $statement = $this->pdo->prepare($sql);
        foreach ($values as $at => $value) {
            // Floats stay floats: as texts they would be compared as texts.
            $type = is_string($value) ? PDO::PARAM_STR : PDO::PARAM_INT;
            $statement->bindValue($at + 1, is_float($value) ? (int) $value : $value, $type);
        }
        $statement->execute();

        return $statement;
    }

    private static function prepared(PDO $pdo): self
    {
        $index = new self($pdo);
        $index->prepare();

        return $index;
    }

    private function prepare(): void
    {
        // Without a journal file that comes and goes: it would change the folder's time with every change of the index.
        foreach (['busy_timeout = 2000', 'trusted_schema = OFF', 'cell_size_check = ON', 'cache_size = -65536'] as $pragma) {
            $this->pdo->exec("PRAGMA $pragma");
        }
        $version = fn (): array => [
            (int) $this->column('PRAGMA application_id')[0],
            (int) $this->column('PRAGMA user_version')[0],
        ];
        if ($version() !== [self::APPLICATION, self::VERSION]) {
            $this->create($version);
        }
        $this->pdo->exec('PRAGMA journal_mode = PERSIST');
        $this->pdo->exec('PRAGMA journal_size_limit = 1048576');
        $this->pdo->exec('PRAGMA synchronous = NORMAL');
        // Damage of the first pages shows here, that of others when they are read.
        $this->state();
    }

    /** @param \Closure(): array{int, int} $version application and version */
    private function create(\Closure $version): void
    {
        $this->transaction(function () use ($version): void {
            // Another process may have been faster.
            if ($version() === [self::APPLICATION, self::VERSION]) {
                return;
            }
            $old = $this->rows("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view')");
            foreach ($old->fetchAll(PDO::FETCH_NUM) as [$type, $name]) {
                $this->pdo->exec("DROP $type \"" . str_replace('"', '""', (string) $name) . '"');
            }
            foreach (self::SCHEMA as $statement) {
                $this->pdo->exec($statement);
            }
            $this->pdo->exec('PRAGMA application_id = ' . self::APPLICATION);
            $this->pdo->exec('PRAGMA user_version = ' . self::VERSION);
        });
    }

    /** Takes the write lock at once: a lock requested later may be refused. */
    private function transaction(\Closure $work): void
    {
        $this->pdo->exec('BEGIN IMMEDIATE');
        try {
            $work();
            $this->pdo->exec('COMMIT');
        } catch (\Throwable $e) {
            Folder::attempt(fn () => $this->pdo->exec('ROLLBACK'));
            throw $e;
        }
    }

    /** @return list<string|int|float|null> in the order of COLUMNS */
    private static function row(RunEntry $run): array
    {
        [$label, $meta] = [$run->label, $run->meta];
        $kept = array_intersect_key($meta->toArray(), array_flip(self::META) + $meta->origin->toArray());
        if ($meta->window !== null && $meta->wall() !== null) {
            $kept['totals']['wt'] = $meta->wall();
        }

        return [
            (string) $run->id, $run->time, $run->stamp, $run->size, $run->title, $meta->origin->url ?? '',
            $run->value('host'), $run->value('wt'), $run->value('cpu'), $run->value('mu'), $run->value('pmu'), $run->value('ct'),
            JsonText::encode($kept, self::FLAGS),
            $run->error, (int) $label->pinned, $label->tags === [] ? '' : "\n" . implode("\n", $label->tags) . "\n",
            $label->note, $label->error, (int) !$label->isEmpty(), $run->id->source, $run->searchText(),
            $meta->recording->start ?? '', $meta->group(), $meta->origin->status, (int) $meta->isFailed(),
            $meta->origin->revision(),
        ];
    }

    /**
     * @throws PDOException that isDamage()
     */
    public static function id(string $name): RunId
    {
        try {
            return RunId::fromText($name);
        } catch (InvalidRunId $e) {
            $damage = new PDOException('the index is not one of runs', 0, $e);
            $damage->errorInfo = ['HY000', self::CORRUPT, $damage->getMessage()];
            throw $damage;
        }
    }

    /**
     * @param array<mixed> $row
     */
    private static function entry(array $row): RunEntry
    {
        $text = static fn (string $column): string => (string) ($row[$column] ?? '');
        $textOrNull = static fn (string $column): ?string => isset($row[$column]) ? (string) $row[$column] : null;
        $meta = json_decode($text('meta'), true);

        return new RunEntry(
            self::id($text('name')),
            (float) ($row['time'] ?? 0),
            $text('stamp'),
            (int) ($row['size'] ?? 0),
            $text('title'),
            RunMeta::fromArray(is_array($meta) ? $meta : []),
            $textOrNull('error'),
            Label::restored((bool) ($row['pinned'] ?? false), $text('tags'), $text('note'), $textOrNull('label_error')),
        );
    }
}

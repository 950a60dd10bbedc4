<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\Format\JsonText;

/**
 * What a shipper knows of the runs of one folder and one store: which are confirmed, which wait, which stay. It is a file to which
 * a line is added for each step, so that a process may be killed at any point: a line that is not whole counts for nothing, and its
 * runs are sent again. Runs that the folder no longer has are forgotten.
 */
final class ShipState
{
    public const SUFFIX = '.ship.jsonl';

    /** Bytes after which the file is written anew, and how many times as long it has become since. */
    private const LEAST = 1 << 18;
    private const GROWTH = 3;

    /** @var array<string, int> "id.source" of runs to send => when their file was written, seconds since 1970 */
    private array $waiting = [];

    /** @var array<string, array{float, int}> runs of $waiting that are tried later: when, and how often the store failed with them */
    private array $aside = [];

    /** @var array<string, true> runs that need nothing more */
    private array $done = [];

    /** @var array<string, true> runs of kinds that are not sent */
    private array $left = [];

    /** @var array<string, list<string>> see ValueBound */
    private array $values = [];

    public Counters $counters;

    /** @var resource|null */
    private $stream = null;

    private int $written = 0;

    private int $whole = 0;

    /**
     * @param string $to     address of the store, as it may be shown
     * @param string $runs   the folder of the runs
     * @param string|null $kinds of runs that are sent: those that were left are looked at again when it changes; null to look only
     */
    private function __construct(
        private readonly Folder $folder,
        private readonly string $name,
        public readonly string $to,
        public readonly string $runs,
        private readonly ?string $kinds,
    ) {
        $this->counters = new Counters();
    }

    /**
     * @param string $folder  of states, which exists
     * @param string $address of the store, whole: a state is that of one address and one folder of runs
     *
     * @throws StoreError if it cannot be read or written
     */
    public static function open(string $folder, string $address, string $to, string $runs, string $kinds): self
    {
        $name = substr(hash('sha256', "$address\n$runs"), 0, 16) . self::SUFFIX;
        $self = new self(new Folder($folder), $name, $to, $runs, $kinds);
        $self->readFile();
        $self->rewrite();

        return $self;
    }

    public function path(): string
    {
        return "{$this->folder->path}/$this->name";
    }

    /**
     * The states in a folder, as they were written last, for those who only look.
     *
     * @return list<self>
     *
     * @throws StoreError if the folder cannot be read
     */
    public static function all(string $folder): array
    {
        $states = [];
        $files = new Folder($folder);
        foreach ($files->names() as $name) {
            $head = str_ends_with($name, self::SUFFIX) ? self::decoded(strtok($files->head($name, 1 << 16), "\n")) : [];
            if (is_string($head['to'] ?? null) && is_string($head['runs'] ?? null)) {
                $state = new self($files, $name, $head['to'], $head['runs'], null);
                $state->readFile();
                $states[] = $state;
            }
        }

        return $states;
    }

    /** Differs from that of all other states of this host. */
    public function id(): string
    {
        return substr($this->name, 0, -strlen(self::SUFFIX));
    }

    /** @return float when it was last written, seconds since 1970 */
    public function changed(): float
    {
        return (float) ($this->folder->stat($this->name)['mtime'] ?? 0);
    }

    /** @return array<string, int> "id.source" => when its file was written, the oldest first */
    public function waiting(): array
    {
        asort($this->waiting);

        return $this->waiting;
    }

    public function isWaiting(string $run): bool
    {
        return isset($this->waiting[$run]);
    }

    /** @return array<string, array{float, int}> runs that wait, but apart: when they are tried, and how often the store failed with them */
    public function aside(): array
    {
        return $this->aside;
    }

    public function isKnown(string $run): bool
    {
        return isset($this->waiting[$run]) || isset($this->done[$run]) || isset($this->left[$run]);
    }

    /** @return list<string> all runs that it knows */
    public function known(): array
    {
        return array_map(strval(...), array_keys($this->waiting + $this->done + $this->left));
    }

    /** @return array<string, list<string>> see ValueBound */
    public function values(): array
    {
        return $this->values;
    }

    /**
     * @param array<string, int> $waiting runs to send => when their file was written
     * @param list<string>       $left    runs of kinds that are not sent
     *
     * @throws StoreError
     */
    public function found(array $waiting, array $left): void
    {
        if ($waiting !== [] || $left !== []) {
            $this->apply(['wait' => $waiting, 'left' => $left]);
        }
    }

    /**
     * The store fails with these runs and takes others: they are tried later, each alone.
     *
     * @param array<string, array{float, int}> $runs when, and how often it failed
     *
     * @throws StoreError
     */
    public function setAside(array $runs): void
    {
        $this->apply(['aside' => $runs, 'count' => $this->counters->toArray()]);
    }

    /**
     * The runs need nothing more; with it all counters are saved.
     *
     * @param list<string>                     $runs
     * @param array<string, list<string>>|null $values see ValueBound, where they have changed
     *
     * @throws StoreError
     */
    public function done(array $runs, ?array $values = null): void
    {
        $this->apply(['done' => $runs, 'count' => $this->counters->toArray()] + ($values === null ? [] : ['values' => $values]));
    }

    /**
     * The folder no longer has these runs.
     *
     * @param list<string> $runs
     *
     * @throws StoreError
     */
    public function gone(array $runs): void
    {
        if ($runs !== []) {
            $this->apply(['gone' => $runs, 'count' => $this->counters->toArray()]);
        }
    }

    /** @throws StoreError */
    public function saveCounters(): void
    {
        $this->apply(['count' => $this->counters->toArray()]);
    }

    /** Shows that the shipper lives, where it has nothing else to write. */
    public function touch(): void
    {
        Folder::attempt(fn () => touch($this->path()));
    }

    /**
     * @param array<string, mixed> $step
     *
     * @throws StoreError
     */
    private function apply(array $step): void
    {
        $this->take($step);
        $line = self::encoded($step);
        $stream = $this->stream;
        [$bytes, $why] = $stream === null ? [false, ''] : Folder::attempt(static fn () => fwrite($stream, $line));
        if ($bytes !== strlen($line)) {
            // What is left of the line would spoil the next one.
            $this->stream = null;
            $this->rewrite($why);
        }
        $this->written += strlen($line);
        if ($this->written > max(self::LEAST, self::GROWTH * $this->whole)) {
            $this->rewrite();
        }
    }

    /** @param array<array-key, mixed> $step a line of the file: untrusted */
    private function take(array $step): void
    {
        $list = static fn (string $name): array => is_array($step[$name] ?? null) ? $step[$name] : [];
        foreach ($list('wait') as $run => $time) {
            $this->waiting[(string) $run] = (int) (is_numeric($time) ? $time : 0);
        }
        foreach (array_filter($list('aside'), is_array(...)) as $run => $when) {
            [$at, $failures] = $when + [0, 0];
            $this->aside[(string) $run] = [(float) (is_numeric($at) ? $at : 0), is_int($failures) ? $failures : 0];
        }
        foreach (array_filter($list('left'), is_string(...)) as $run) {
            $this->left[$run] = true;
        }
        foreach (array_filter($list('done'), is_string(...)) as $run) {
            unset($this->waiting[$run], $this->aside[$run]);
            $this->done[$run] = true;
        }
        foreach (array_filter($list('gone'), is_string(...)) as $run) {
            unset($this->waiting[$run], $this->aside[$run], $this->done[$run], $this->left[$run]);
        }
        foreach ($list('values') as $name => $values) {
            $this->values[(string) $name] = array_values(array_filter(is_array($values) ? $values : [], is_string(...)));
        }
        if (isset($step['count'])) {
            $this->counters = Counters::fromArray($list('count'));
        }
    }

    /** @throws StoreError */
    private function readFile(): void
    {
        $file = $this->folder->open($this->name);
        if ($file === null) {
            return;
        }
        $kinds = null;
        while (($line = fgets($file->stream)) !== false) {
            $step = str_ends_with($line, "\n") ? self::decoded($line) : [];
            $kinds ??= $step['kinds'] ?? '';
            $this->take($step);
        }
        fclose($file->stream);
        if ($this->kinds !== null && $kinds !== $this->kinds) {
            $this->left = [];
        }
    }

    /** @throws StoreError */
    private function rewrite(string $why = ''): void
    {
        $head = ['v' => 1, 'to' => $this->to, 'runs' => $this->runs, 'kinds' => $this->kinds];
        $text = self::encoded($head + ['count' => $this->counters->toArray()]);
        // In lines of a bounded length: one line at a time is read.
        foreach (['wait' => $this->waiting, 'aside' => $this->aside] as $key => $runs) {
            foreach (array_chunk($runs, 500, true) as $part) {
                $text .= self::encoded([$key => $part]);
            }
        }
        foreach (['done' => $this->done, 'left' => $this->left] as $key => $runs) {
            foreach (array_chunk(array_keys($runs), 500) as $part) {
                $text .= self::encoded([$key => array_map(strval(...), $part)]);
            }
        }
        foreach ($this->values as $name => $values) {
            $text .= self::encoded(['values' => [$name => $values]]);
        }
        if ($this->stream !== null) {
            fclose($this->stream);
            $this->stream = null;
        }
        $this->folder->write($this->name, $text);
        $path = $this->path();
        [$stream, $reason] = Folder::attempt(static fn () => fopen($path, 'ab'));
        if ($stream === false) {
            throw new StoreError("$path cannot be written: " . ($why ?: $reason));
        }
        stream_set_write_buffer($stream, 0);
        $this->stream = $stream;
        $this->whole = strlen($text);
        $this->written = 0;
    }

    /** @param array<string, mixed> $step */
    private static function encoded(array $step): string
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;

        return JsonText::encode($step, $flags) . "\n";
    }

    /** @return array<array-key, mixed> nothing of what is no step */
    private static function decoded(string|false $line): array
    {
        $step = is_string($line) ? json_decode($line, true, 5) : null;

        return is_array($step) ? $step : [];
    }
}

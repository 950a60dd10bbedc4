<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * When the calls of a run began and ended, in ns since its start: those that lasted at least the threshold. Sorted by start,
 * callers before callees. Validated once, never changed after.
 */
final class Timeline
{
    /** ns; half a year. */
    private const MAX_TIME = 1 << 54;

    /**
     * @param list<int>                     $t      per call its start
     * @param list<int>                     $d      per call its duration
     * @param list<int>                     $node   per call its node of the tree
     * @param list<int>|null                $fiber  per call its fiber; null where there was only one
     * @param list<int>|null                $memory per call the bytes in use at its end
     * @param list<array{int, int, string}> $marks  start, duration and text of collections of garbage, spans and marks
     * @param list<array{int, int, int}>|null $slices start and end of a time that a fiber ran, and its number; null for one fiber
     * @param int                           $asked  the threshold at the start of the run
     * @param int                           $folded calls that were left out, as their paths were folded
     * @param array<string, array<string, list<int>>> $columns of marks and of slices
     */
    private function __construct(
        public readonly CallTree $tree,
        public readonly int $duration,
        public readonly int $threshold,
        public readonly array $t,
        public readonly array $d,
        public readonly array $node,
        public readonly ?array $fiber,
        public readonly ?array $memory,
        public readonly array $marks,
        public readonly ?array $slices,
        private readonly int $asked,
        private readonly int $folded,
        private readonly array $columns,
    ) {
    }

    /** @param CallTree $tree the same, with other names */
    public function named(CallTree $tree): self
    {
        return new self(...['tree' => $tree] + get_object_vars($this));
    }

    /**
     * @param array<mixed> $data the document "timeline" of a run
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data, CallTree $tree): self
    {
        $t = SavedColumns::integers($data['t'] ?? null, '"t" of the timeline', 0, null, self::MAX_TIME);
        $n = count($t);
        self::ordered($t);
        $columns = self::columns($data, count($tree->names));
        $column = static fn (string $name, int $most): ?array => isset($data[$name])
            ? SavedColumns::integers($data[$name], "\"$name\" of the timeline", 0, $n, $most)
            : null;

        $span = self::span($data);

        return new self(
            $tree,
            $span->duration,
            $span->threshold ?? 0,
            $t,
            SavedColumns::integers($data['d'] ?? null, '"d" of the timeline', 0, $n, self::MAX_TIME),
            SavedColumns::integers($data['node'] ?? null, '"node" of the timeline', 0, $n, $tree->count() - 1),
            $column('fiber', 1 << 32),
            $column('memory', 1 << 48),
            self::marks($columns, $tree),
            isset($data['fiber']) ? self::slices($columns['fibers'] ?? []) : null,
            SavedColumns::integer($data['asked_threshold'] ?? 0, 'the first threshold of the timeline', self::MAX_TIME),
            SavedColumns::integer($data['folded'] ?? 0, 'the calls that the timeline lacks', self::MAX_TIME),
            $columns,
        );
    }

    /**
     * @return array<string, mixed> what fromArray() takes
     */
    public function toArray(): array
    {
        return [
            'duration' => $this->duration,
            'asked_threshold' => $this->asked,
            'threshold' => $this->threshold,
            'folded' => $this->folded,
            't' => $this->t,
            'd' => $this->d,
            'node' => $this->node,
        ] + array_filter(['fiber' => $this->fiber, 'memory' => $this->memory], is_array(...)) + $this->columns;
    }

    /**
     * How long a timeline lasts, without reading its columns.
     *
     * @param array<mixed> $data as fromArray() takes it
     *
     * @throws InvalidProfile
     */
    public static function span(array $data): TimeSpan
    {
        return new TimeSpan(
            SavedColumns::integer($data['duration'] ?? null, 'the duration of the timeline', self::MAX_TIME),
            SavedColumns::integer($data['threshold'] ?? 0, 'the threshold of the timeline', self::MAX_TIME),
        );
    }

    /**
     * The begin and the end of each call of a fiber, in order: ends lie within those of callers, whatever the file says.
     *
     * @return iterable<array{0: bool, 1: int, 2: int}> whether it begins, the call, the time
     */
    public function events(int $fiber = 0): iterable
    {
        /** @var list<array{int, int}> $open call, end */
        $open = [];
        foreach ($this->t as $call => $start) {
            if (($this->fiber[$call] ?? 0) !== $fiber) {
                continue;
            }
            while (($last = end($open)) !== false && $last[1] <= $start) {
                array_pop($open);
                yield [false, ...$last];
            }
            $most = $last === false ? $this->duration : $last[1];
            $open[] = [$call, min($most, $start + $this->d[$call])];
            yield [true, $call, min($most, $start)];
        }
        while (($last = array_pop($open)) !== null) {
            yield [false, ...$last];
        }
    }

    /** @return non-empty-list<int> the fibers that have calls, and 0 */
    public function fibers(): array
    {
        $seen = [0 => true];
        foreach ($this->fiber ?? [] as $fiber) {
            $seen[$fiber] = true;
        }
        ksort($seen);

        return array_keys($seen);
    }

    /** @return string of the function of a call */
    public function name(int $call): string
    {
        return $this->tree->names[$this->tree->fn[$this->node[$call]]];
    }

    /**
     * What happened beside the calls.
     *
     * @param array<mixed> $data
     * @param int          $names of the tree
     *
     * @return array<string, array<string, list<int>>>
     */
    private static function columns(array $data, int $names): array
    {
        $columns = [];
        $kinds = ['gc' => ['freed', PHP_INT_MAX], 'alloc_marks' => ['mark', PHP_INT_MAX], 'spans' => ['name', $names - 1]];
        foreach ($kinds + ['fibers' => ['fiber', 1 << 32]] as $kind => [$value, $most]) {
            $entries = $data[$kind] ?? null;
            if (is_array($entries)) {
                $t = SavedColumns::integers($entries['t'] ?? null, "\"t\" of \"$kind\"", 0, null, self::MAX_TIME);
                $columns[$kind] = [
                    't' => $t,
                    'd' => SavedColumns::integers($entries['d'] ?? null, "\"d\" of \"$kind\"", 0, count($t), self::MAX_TIME),
                    $value => SavedColumns::integers($entries[$value] ?? null, "\"$value\" of \"$kind\"", 0, count($t), $most),
                ];
            }
        }

        return $columns;
    }

    /**
     * @param array<string, array<string, list<int>>> $columns
     *
     * @return list<array{int, int, string}>
     */
    private static function marks(array $columns, CallTree $tree): array
    {
        $texts = [
            'gc' => ['freed', static fn (int $freed): string => "garbage collection, $freed freed"],
            'alloc_marks' => ['mark', static fn (int $mark): string => "mark $mark"],
            'spans' => ['name', static fn (int $name): string => $tree->names[$name]],
        ];
        $marks = [];
        foreach ($texts as $kind => [$value, $text]) {
            foreach ($columns[$kind]['t'] ?? [] as $i => $start) {
                $marks[] = [$start, $columns[$kind]['d'][$i], $text($columns[$kind][$value][$i])];
            }
        }

        return $marks;
    }

    /**
     * @param array<string, list<int>> $entries
     *
     * @return list<array{int, int, int}>
     */
    private static function slices(array $entries): array
    {
        ['t' => $t, 'd' => $d, 'fiber' => $fiber] = $entries + ['t' => [], 'd' => [], 'fiber' => []];
        self::ordered($t);
        $slice = static fn (int $start, int $time, int $number): array => [$start, $start + $time, $number];

        return array_map($slice, $t, $d, $fiber);
    }

    /** @param list<int> $t */
    private static function ordered(array $t): void
    {
        foreach ($t as $i => $start) {
            if ($i > 0 && $start < $t[$i - 1]) {
                throw new InvalidProfile('the calls of the timeline are not in the order of time');
            }
        }
    }
}

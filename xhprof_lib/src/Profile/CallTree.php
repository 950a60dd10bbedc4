<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\UnknownMetric;

/**
 * The call-path tree of one run, as columns in preorder: node 0 is main() at depth 0, a node's callees follow it one level
 * deeper. "self" columns are exclusive; wt and cpu in nanoseconds, mu and pmu in bytes. "corrected" columns are exclusive times
 * too, without the profiler's own overhead; a run may have none. "allocations" are the node's own allocations and frees, where
 * they were recorded; they are no metrics. "callLine" is the line in the caller from which a path was first called. "kinds" say
 * what each function is: see the constants. Validated once, never changed after.
 */
final class CallTree
{
    /** Kinds of functions: of the program, of PHP or an extension, the compiling of a file or text. */
    public const PHP = 0;
    public const INTERNAL = 1;
    public const COMPILED = 2;

    /**
     * @param list<string>             $names names of functions
     * @param list<int>                $fn    per node, an index into names
     * @param list<int>                $depth per node
     * @param list<int>                $ct    per node, how often it was called
     * @param array<string, list<int>> $self      per metric and node
     * @param array<string, list<int>> $corrected per metric (wt, cpu) and node
     * @param array<string, list<int>> $allocations "allocated_bytes", "freed_blocks"..., per node; [] where not recorded
     * @param CodePlaces               $places      of the functions in names
     * @param list<int>                $callLine    per node, 0: not known; [] where no line is known
     * @param list<int>                $kinds       per name; [] where they are not known
     */
    private function __construct(
        public readonly array $names,
        public readonly array $fn,
        public readonly array $depth,
        public readonly array $ct,
        public readonly array $self,
        public readonly array $corrected,
        public readonly array $allocations,
        public readonly CodePlaces $places,
        public readonly array $callLine,
        public readonly array $kinds = [],
    ) {
    }

    /**
     * @param array<mixed> $data as xhprof_call_tree() returns it, or as the document "tree" of a run
     * @param bool         $hasMetrics whether it must have some; paths alone have none
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data, bool $hasMetrics = true): self
    {
        $names = array_map(EdgeKey::escaped(...), SavedColumns::names($data['names'] ?? null, 'the call tree'));
        $fn = self::column($data['fn'] ?? null, 'fn', 0);
        $count = count($fn);
        $depth = self::column($data['depth'] ?? null, 'depth', 0, $count);
        $ct = self::column($data['ct'] ?? null, 'ct', 0, $count);
        if ($count === 0 || max($fn) >= count($names)) {
            throw new InvalidProfile($count === 0 ? 'the call tree has no nodes' : 'a node of the call tree has no name');
        }
        $last = -1;
        foreach ($depth as $node => $level) {
            if ($level > $last + 1 || ($level === 0) !== ($node === 0)) {
                throw new InvalidProfile("node $node of the call tree has no parent");
            }
            $last = $level;
        }
        $self = [];
        $allocations = [];
        $columns = $data['self'] ?? null;
        foreach (is_array($columns) ? $columns : [] as $metric => $column) {
            if (!is_string($metric) || !Metrics::isFigure($metric)) {
                throw new InvalidProfile('a column of the call tree has no valid name');
            }
            $column = self::column($column, 'self.' . $metric, PHP_INT_MIN, $count);
            if (Metrics::isAllocation($metric)) {
                $allocations[$metric] = $column;
            } else {
                $self[$metric] = $column;
            }
        }
        if ($hasMetrics && $self === []) {
            throw new InvalidProfile('the call tree has no metrics');
        }
        $allocations = array_replace($allocations, self::live($allocations));

        $corrected = self::correctedColumns($data['corrected'] ?? [], $self);
        $places = CodePlaces::fromArray($data, count($names));
        $callLine = isset($data['call_line']) ? self::column($data['call_line'], 'call_line', 0, $count) : [];
        $kinds = isset($data['function_kind'])
            ? self::column($data['function_kind'], 'function_kind', self::PHP, count($names))
            : [];

        return new self($names, $fn, $depth, $ct, $self, $corrected, $allocations, $places, $callLine, $kinds);
    }

    /**
     * @param list<string>                     $names
     * @param list<int>                        $fn
     * @param list<int>                        $depth
     * @param iterable<string, array<int, int>> $columns lists, as columns() has them
     * @param CodePlaces|null                  $places  of the names; null: not known
     * @param list<int>                        $callLine per node; []: not known
     *
     * @throws InvalidProfile
     */
    public static function fromColumns(
        array $names,
        array $fn,
        array $depth,
        iterable $columns,
        ?CodePlaces $places = null,
        array $callLine = [],
    ): self {
        $data = ['names' => $names, 'fn' => $fn, 'depth' => $depth, 'self' => [], 'corrected' => []];
        foreach ($columns as $name => $column) {
            [$kind, $metric] = explode('.', $name, 2) + [1 => ''];
            if ($metric === '') {
                $data['ct'] = $column;
            } else {
                $data[$kind][$metric] = $column;
            }
        }

        return self::fromArray($data + ($places?->toArray() ?? []) + ($callLine === [] ? [] : ['call_line' => $callLine]));
    }

    /**
     * @param array<string, list<int>> $allocations
     *
     * @return array<string, list<int>> allocated less freed, which no file has
     */
    private static function live(array $allocations): array
    {
        $live = [];
        foreach (['bytes', 'blocks'] as $unit) {
            if (isset($allocations["allocated_$unit"], $allocations["freed_$unit"])) {
                $live["live_$unit"] = array_map(
                    static fn (int $allocated, int $freed): int => $allocated - $freed,
                    $allocations["allocated_$unit"],
                    $allocations["freed_$unit"],
                );
            }
        }

        return $live;
    }

    /** @return array<string, list<int>> per metric and node, without what fromArray() computes */
    private function figures(): array
    {
        $computed = isset($this->allocations['freed_bytes']) ? ['live_bytes' => true, 'live_blocks' => true] : [];

        return $this->self + array_diff_key($this->allocations, $computed);
    }

    /** @return array<string, list<int>> "ct", "self.wt", "self.allocated_bytes", "corrected.cpu"... => per node the figure */
    public function columns(): array
    {
        $columns = ['ct' => $this->ct];
        foreach (['self' => $this->figures(), 'corrected' => $this->corrected] as $kind => $group) {
            foreach ($group as $metric => $column) {
                $columns["$kind.$metric"] = $column;
            }
        }

        return $columns;
    }

    /**
     * Builds a tree of live memory, see Memory\LiveTree; main() need not be the only root.
     *
     * @internal
     *
     * @param list<string> $names
     * @param list<int> $fn
     * @param list<int> $depth
     * @param list<int> $ct
     * @param list<int> $bytes
     * @param list<int> $blocks
     */
    public static function ofLive(array $names, array $fn, array $depth, array $ct, array $bytes, array $blocks): self
    {
        $live = ['live_bytes' => $bytes, 'live_blocks' => $blocks];

        return new self($names, $fn, $depth, $ct, [], [], $live, CodePlaces::none(), []);
    }

    /**
     * @return self without metrics: code that needs only paths and allocations need not keep a large run's times
     */
    public function withoutMetrics(): self
    {
        $live = ['live_bytes' => true, 'live_blocks' => true];

        $kept = array_diff_key($this->allocations, $live);

        return new self($this->names, $this->fn, $this->depth, $this->ct, [], [], $kept, $this->places, $this->callLine);
    }

    /**
     * @param array<string, list<int>> $corrected per metric and node, of CorrectedTimes
     *
     * @return self the same tree with these corrected times
     */
    public function withCorrected(array $corrected): self
    {
        return new self(...['corrected' => $corrected] + get_object_vars($this));
    }

    /**
     * @param array<string, string> $map name => another name
     *
     * @return self the same tree, whose functions have these names
     */
    public function renamed(array $map): self
    {
        $names = array_map(static fn (string $name): string => $map[$name] ?? $name, $this->names);

        return $map === [] ? $this : new self(...['names' => $names] + get_object_vars($this));
    }

    /**
     * @param list<int> $nodes   in preorder, of depths from one level deeper than the first on
     * @param bool      $isWhole whether the first, the new root, keeps its own figures
     *
     * @return self these nodes, with the names of all
     */
    public function part(array $nodes, bool $isWhole = true): self
    {
        $pick = static fn (array $column): array => array_map(static fn (int $node): int => $column[$node], $nodes);
        $columns = [];
        foreach ($this->columns() as $name => $column) {
            $columns[$name] = $pick($column);
            $columns[$name][0] = $isWhole ? $columns[$name][0] : 0;
        }
        $root = $this->depth[$nodes[0]];
        $depth = array_map(fn (int $node): int => $this->depth[$node] - $root, $nodes);

        return self::fromColumns(
            $this->names,
            $pick($this->fn),
            $depth,
            $columns,
            $this->places,
            $this->callLine === [] ? [] : $pick($this->callLine),
        );
    }

    /**
     * @return int the first node behind it that is not below it
     */
    public function end(int $node): int
    {
        for ($end = $node + 1; ($this->depth[$end] ?? 0) > $this->depth[$node]; $end++) {
        }

        return $end;
    }

    /**
     * @return array<string, mixed> what fromArray() takes
     */
    public function toArray(): array
    {
        return [
            'order' => 'preorder',
            'n' => count($this->fn),
            'names' => $this->names,
            ...($this->kinds === [] ? [] : ['function_kind' => $this->kinds]),
            ...$this->places->toArray(),
            'fn' => $this->fn,
            'depth' => $this->depth,
            'ct' => $this->ct,
            ...($this->callLine === [] ? [] : ['call_line' => $this->callLine]),
            'self' => $this->figures(),
        ] + ($this->corrected === [] ? [] : ['corrected' => $this->corrected]);
    }

    /**
     * @return int number of nodes
     */
    public function count(): int
    {
        return count($this->fn);
    }

    /**
     * @return list<string>
     */
    public function metrics(): array
    {
        return Metrics::ordered(array_keys($this->self));
    }

    /** @return list<string> of its edges */
    private function edgeMetrics(): array
    {
        return Metrics::ofEdges([...array_keys($this->self), ...array_keys($this->allocations)]);
    }

    /**
     * @return list<string> "corrected_wt", "corrected_cpu"; none if the run has no corrected times
     */
    public function correctedMetrics(): array
    {
        return Metrics::ordered(array_map(Metrics::corrected(...), array_keys($this->corrected)));
    }

    /**
     * @param string $metric one of metrics() or correctedMetrics(), or of the allocations
     *
     * @return list<int> per node its own figure
     *
     * @throws UnknownMetric
     */
    public function exclusive(string $metric): array
    {
        foreach ($this->corrected as $raw => $column) {
            if ($metric === Metrics::corrected($raw)) {
                return $column;
            }
        }

        return $this->self[$metric] ?? $this->allocations[$metric]
            ?? throw new UnknownMetric("the call tree has no metric \"$metric\"");
    }

    /**
     * @param string $metric one of metrics() or correctedMetrics()
     *
     * @return array<int, int> per node its own figure and that of everything below it
     *
     * @throws UnknownMetric
     */
    public function inclusive(string $metric): array
    {
        return $this->addUp($this->exclusive($metric));
    }

    /**
     * @param array<int, int> $self a figure per node
     *
     * @return array<int, int> per node its own value and those of everything below it
     */
    public function addUp(array $self): array
    {
        $below = [];
        for ($node = count($self) - 1; $node >= 0; $node--) {
            $level = $this->depth[$node];
            $self[$node] += $below[$level + 1] ?? 0;
            $below[$level + 1] = 0;
            $below[$level] = ($below[$level] ?? 0) + $self[$node];
        }

        return $self;
    }

    /**
     * @param array<int, array-key> $functions per node its function; such as have several names may be one
     *
     * @return list<bool> per node whether none of its callers is its function: values with those below add up over these nodes
     */
    public function outermost(array $functions): array
    {
        $open = $running = $found = [];
        foreach ($this->depth as $node => $level) {
            for ($i = count($open); $i > $level; $i--) {
                $running[array_pop($open)]--;
            }
            $function = $open[] = $functions[$node];
            $running[$function] = ($running[$function] ?? 0) + 1;
            $found[] = $running[$function] === 1;
        }

        return $found;
    }

    /**
     * @return list<int> per node the one that called it; -1 for main()
     */
    public function parents(): array
    {
        $open = [-1 => -1];
        $parents = [];
        foreach ($this->depth as $node => $level) {
            $parents[] = $open[$level - 1];
            $open[$level] = $node;
        }

        return $parents;
    }

    /**
     * Two entries of the same name are one function.
     *
     * @return list<int> per entry of names the first one of that name
     */
    public function functions(): array
    {
        return self::firstOf($this->names);
    }

    /**
     * @param list<string> $names
     *
     * @return list<int> per name the first that is the same
     */
    public static function firstOf(array $names): array
    {
        $functions = [];
        $first = [];
        foreach ($names as $index => $name) {
            $functions[] = $first["\0" . $name] ??= $index;
        }

        return $functions;
    }

    /**
     * Folds the tree into the classic edges. A function below itself gets "@1", "@2"...; nodes of a file's top-level code
     * ("run_init::...") stay functions, or pass their calls to their caller as in xhprof_disable()'s array. Times are in whole
     * microseconds: see toProfile().
     *
     * @param list<string>|null $metrics of the edges; null for all that edges have
     */
    public function toEdges(bool $runInit = true, ?array $metrics = null): Profile
    {
        $metrics ??= $this->edgeMetrics();

        return EdgeFolder::edges(TreeNodes::ofTree($this, $metrics), $metrics, $runInit, true)->recorded();
    }

    /**
     * As toEdges(), with the times of this tree to the nanosecond: for reports.
     *
     * @param list<string>|null $metrics of the edges; null for all that edges have
     */
    public function toProfile(?array $metrics = null): Profile
    {
        return Profile::ofTree($this->nodes($metrics));
    }

    /** @param list<string>|null $metrics null for all of its edges */
    public function nodes(?array $metrics = null): TreeNodes
    {
        return TreeNodes::ofTree($this, $metrics ?? $this->edgeMetrics());
    }

    /**
     * @param array<string, list<int>> $self
     *
     * @return array<string, list<int>>
     */
    private static function correctedColumns(mixed $columns, array $self): array
    {
        if (!is_array($columns)) {
            throw new InvalidProfile('the corrected times of the call tree are not columns');
        }
        $corrected = [];
        foreach ($columns as $metric => $column) {
            if (!isset($self[$metric]) || !Metrics::isCorrectable((string) $metric)) {
                throw new InvalidProfile('a corrected column of the call tree has no raw column');
            }
            $corrected[$metric] = self::column($column, "corrected.$metric", 0, count($self[$metric]));
        }

        return $corrected;
    }

    /**
     * @return list<int>
     */
    private static function column(mixed $column, string $name, int $least, ?int $count = null): array
    {
        return SavedColumns::integers($column, "\"$name\" of the call tree", $least, $count);
    }

    /**
     * @param array<int, int> $values by node: of a caller at least as much as of its callees
     * @param int $limit 0 for all
     *
     * @return list<int> nodes, the heaviest first; of equal ones the earlier call, which a caller is
     */
    public static function heaviest(array $values, int $limit): array
    {
        arsort($values);

        return array_keys($limit === 0 ? $values : array_slice($values, 0, $limit, true));
    }
}

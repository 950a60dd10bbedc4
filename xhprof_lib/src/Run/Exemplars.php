<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Profile\MetricKind;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleCount;
use XHProf\Profile\SavedColumns;
use XHProf\Stats\Buckets;

/**
 * Single requests of a window as runs that can be opened, compared and exported like others: of a route the slowest, and one by
 * chance, whose trees are in its document "exemplars"; and beside them the mean of all its requests, the route's part of the
 * whole tree by their number. Their ids are that of the window, the kind, and a hash of the route: no files have these names.
 *
 * @phpstan-type Exemplar array{wall_us: int, cpu_us: int, peak: int, ended: int, failed: bool, samples: int, trace_id: string|null,
 *     span_id: string|null, data: array<mixed>}
 * @phpstan-import-type KeptRequest from Run
 */
final class Exemplars
{
    public const USUAL = 'usual';
    public const SLOWEST = 'slowest';
    public const RANDOM = 'random';

    /** Title of each kind; %d is the number of requests that the kept one was chosen from. */
    private const TITLES = [self::USUAL => 'mean of %d', self::SLOWEST => 'slowest of %d', self::RANDOM => 'one of %d, by chance'];

    /** Numbers of their columns; no true window has more. */
    private const MAX_VALUES = 2 << 20;

    /** Columns that hold the nodes of all, one after the other. */
    private const COLUMNS = ['fn', 'depth', 'ct', 'call_line'];

    private const HASH_DIGITS = 12;

    /** What is behind the window's id. */
    private const END = '-(' . self::USUAL . '|' . self::SLOWEST . '|' . self::RANDOM . ')-([0-9a-f]{' . self::HASH_DIGITS . '})';

    /** @var array<string, array<self::SLOWEST|self::RANDOM, Exemplar>>|null by the hash of their route, and kind */
    private ?array $kept = null;

    /** @internal see SavedRun::kept() */
    public function __construct(private readonly Run $window)
    {
    }

    /**
     * @param self::USUAL|self::SLOWEST|self::RANDOM $kind
     *
     * @return RunId|null null if the name of the window leaves no room for it
     */
    public static function id(RunId $window, string $kind, string $route): ?RunId
    {
        try {
            return RunId::fromStrings("$window->id-$kind-" . self::hash($route), $window->source);
        } catch (InvalidRunId) {
            return null;
        }
    }

    /**
     * @param string $name an id, or "id.source"
     *
     * @return array{string, string} the same of its window, and what the id has behind that; '' if it is no such name
     */
    public static function split(string $name): array
    {
        return preg_match('/\A(.+)(' . self::END . ')(\..*)?\z/s', $name, $match) === 1
            ? [$match[1] . ($match[5] ?? ''), $match[2]]
            : [$name, ''];
    }

    /** Whether it has the name of the mean of all requests of a route. */
    public static function isUsual(RunId $id): bool
    {
        return (self::parts($id)[1] ?? null) === self::USUAL;
    }

    /** @return RunId|null the window of a run of such a name */
    public static function windowOf(RunId $id): ?RunId
    {
        return self::parts($id)[0] ?? null;
    }

    /** Whether it has kept such a request; the mean of all is there if one of them is. False also where it cannot be read. */
    public function has(RunId $id): bool
    {
        try {
            return $this->found($id) !== null;
        } catch (DamagedRun | StoreError) {
            return false;
        }
    }

    /**
     * @return array{key-of<self::TITLES>, non-empty-array<Exemplar>}|null the kind that it asks for, and all kept ones of its route
     *
     * @throws DamagedRun|StoreError
     */
    private function found(RunId $id): ?array
    {
        [, $kind, $route] = self::parts($id) ?? [null, self::USUAL, ''];
        $kept = $this->all()[$route] ?? [];

        return $kept === [] || ($kind !== self::USUAL && !isset($kept[$kind])) ? null : [$kind, $kept];
    }

    /**
     * @return int|null µs that such a request took; null if it was not kept, and of the mean of all
     *
     * @throws DamagedRun|StoreError
     */
    public function wall(RunId $id): ?int
    {
        [$kind, $kept] = $this->found($id) ?? [self::USUAL, []];

        return $kept[$kind]['wall_us'] ?? null;
    }

    /**
     * @return Run|null null if it has not kept such a request; the mean of all is there if one of them is
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function run(RunId $id): ?Run
    {
        $found = $this->found($id);
        if ($found === null) {
            return null;
        }
        [$kind, $kinds] = $found;
        $kept = $kinds[$kind] ?? null;
        $route = self::route(reset($kinds));
        try {
            $tree = $kept === null ? $this->usual($route) : $this->tree($kept['data']);
        } catch (InvalidProfile $e) {
            throw new DamagedRun("{$this->window->path}: {$e->getMessage()}", 0, $e);
        }
        $meta = $this->meta($id, $route, $kind, $kept, $tree);
        $count = new SampleCount($meta->recording->sampleInterval, $kept === null ? null : $meta->recording->samples);

        return new MadeRun(
            $id,
            $this->window->path,
            $meta,
            $tree,
            static fn (): Profile => $tree->toProfile()->sampled($count),
            version: "$id {$this->window->version()}",
        );
    }

    /**
     * @param key-of<self::TITLES> $kind
     * @param Exemplar|null        $kept
     */
    private function meta(RunId $id, string $route, string $kind, ?array $kept, CallTree $tree): RunMeta
    {
        $window = $this->window->meta();
        $figures = $window->window?->routeStats($route) ?? RouteFigures::none();
        $metric = $tree->metrics()[0] ?? 'wt';
        // Otherwise its CPU time may be of other time than its wall time, or than its samples.
        $isWhole = $figures->early + $figures->suspended + $figures->unsampled + $figures->cut + $figures->mixed === 0;
        $samples = RunMeta::ofSamples(
            $window->recording->sampling->clock ?? 'wall',
            $kept['samples'] ?? self::share($figures->samples, $figures->requests),
            $window->recording->sampleInterval,
        );

        return RunMeta::fromArray([
            'id' => $id->id,
            'source' => $id->source,
            'ts' => $kept === null ? $window->ts : max(0, $kept['ended'] - $kept['wall_us'] / 1e6),
            'duration_us' => $kept['wall_us'] ?? $figures->mean() ?? 0,
            'cpu_us' => $isWhole ? $kept['cpu_us'] ?? intdiv($figures->cpu, max(1, $figures->requests)) : null,
            'name' => $route . ' (' . sprintf(self::TITLES[$kind], $figures->requests) . ')',
            'route' => $route,
            'start' => RunRecording::WINDOW,
            'parent' => $this->window->id?->id,
            'peak_memory' => $kept['peak'] ?? null,
            'trace_id' => $kept['trace_id'] ?? null,
            'span_id' => $kept['span_id'] ?? null,
            'nodes' => $tree->count(),
            'totals' => [$metric => intdiv((int) array_sum($tree->exclusive($metric)), 1000)],
        ] + array_intersect_key($window->toArray(), array_flip([
            'sapi', 'host', 'php', 'zts', 'version', 'git', 'release', 'clock',
        ])) + $samples);
    }

    /**
     * Lists the single requests that the window has kept, without the means of its routes.
     *
     * @return list<KeptRequest>
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function requests(): array
    {
        $found = [];
        foreach ($this->all() as $kinds) {
            foreach ($kinds as $kind => $one) {
                $route = self::route($one);
                try {
                    $tree = $this->tree($one['data']);
                } catch (InvalidProfile $e) {
                    throw new DamagedRun("{$this->window->path}: {$e->getMessage()}", 0, $e);
                }
                $id = $this->window->id === null ? null : self::id($this->window->id, $kind, $route);
                $found[] = ['id' => $id, 'route' => $route, 'kind' => $kind, 'tree' => $tree]
                    + array_intersect_key(
                        $one,
                        ['wall_us' => 0, 'cpu_us' => 0, 'ended' => 0, 'failed' => 0, 'trace_id' => 0, 'span_id' => 0],
                    );
            }
        }

        return $found;
    }

    private static function digits(mixed $id, int $digits): ?string
    {
        return is_string($id) && preg_match("/\A[0-9a-f]{{$digits}}\z/", $id) === 1 ? $id : null;
    }

    /** The calls of the route in all requests, each with its share of one. */
    private function usual(string $route): CallTree
    {
        $whole = $this->window->tree() ?? throw $this->hasNoTree();
        $figures = $this->window->meta()->window?->routeStats($route) ?? RouteFigures::none();
        $requests = max(1, $figures->requests);
        $allocating = $figures->allocations->requests > 0 ? $figures->allocations->requests : $requests;
        for ($node = 1; $node < $whole->count(); $node = $whole->end($node)) {
            if ($whole->names[$whole->fn[$node]] === $route) {
                $nodes = [0, ...range($node, $whole->end($node) - 1)];
                $part = $whole->part($nodes, false)->toArray();
                foreach ($part['self'] as $metric => $column) {
                    $column[0] = 0;
                    $divisor = Metrics::isAllocation($metric) ? $allocating : $requests;
                    $part['self'][$metric] = array_map(static fn (int $value): int => intdiv($value, $divisor), $column);
                }
                $part['ct'] = array_map(static fn (int $samples): int => self::share($samples, $requests), $part['ct']);
                $part['ct'][0] = 0;

                return CallTree::fromArray($part);
            }
        }
        throw new RunNotFound("{$this->window->path} has no samples of $route");
    }

    /** @return int samples of one of so many requests: whole ones, as its functions have them */
    private static function share(int $samples, int $requests): int
    {
        return (int) round($samples / max(1, $requests));
    }

    private function hasNoTree(): RunNotFound
    {
        return new RunNotFound("{$this->window->path} has no call tree");
    }

    /** @param Exemplar $one */
    private static function route(array $one): string
    {
        return is_string($one['data']['route'] ?? null) ? $one['data']['route'] : '';
    }

    /**
     * @param array<mixed> $data
     *
     * @throws InvalidProfile|RunNotFound
     */
    private function tree(array $data): CallTree
    {
        [$head, $meta] = [$this->window->treeHead() ?? throw $this->hasNoTree(), $this->window->meta()];
        $interval = 1000 * max(0, $meta->recording->sampleInterval ?? 0);
        $fn = SavedColumns::integers($data['fn'] ?? null, '"fn" of an exemplar', 0, null, count($head->names) - 1);
        $ct = SavedColumns::integers($data['ct'] ?? null, '"ct" of an exemplar', 0, count($fn), 1 << 40);
        $depth = SavedColumns::integers($data['depth'] ?? null, '"depth" of an exemplar', 0, count($fn), count($fn));
        $lines = SavedColumns::integers($data['call_line'] ?? null, '"call_line" of an exemplar', 0, count($fn), 1 << 32);
        $times = array_map(static fn (int $ct): int => $ct * $interval, $ct);
        $used = array_values(array_unique($fn));
        $new = array_flip($used);
        $metric = $meta->recording->sampling?->metric() ?? 'wt';

        return CallTree::fromArray([
            'names' => ['main()', ...array_map(static fn (int $name): string => $head->names[$name], $used)],
            'fn' => [0, ...array_map(static fn (int $name): int => $new[$name] + 1, $fn)],
            'depth' => [0, ...array_map(static fn (int $depth): int => $depth + 1, $depth)],
            'ct' => [0, ...$ct],
            'call_line' => [0, ...$lines],
            'self' => [$metric => [0, ...$times]]
                + self::allocations($data['self'] ?? null, count($fn)),
        ] + $head->places->select([-1, ...$used])->toArray());
    }

    /**
     * @param int<0, max> $nodes
     *
     * @return array<string, list<int>> by metric, behind a 0 for main()
     *
     * @throws InvalidProfile
     */
    private static function allocations(mixed $self, int $nodes): array
    {
        $columns = [];
        foreach (Metrics::all() as $key => $metric) {
            if ($metric->kind === MetricKind::Allocation && is_array($self) && isset($self[$key])) {
                $name = "\"$key\" of an exemplar";
                $columns[$key] = [0, ...SavedColumns::integers($self[$key], $name, 0, $nodes, Buckets::LARGEST)];
            }
        }

        return $columns;
    }

    /**
     * @return array<string, array<self::SLOWEST|self::RANDOM, Exemplar>> by the hash of their route, and kind
     *
     * @throws DamagedRun|StoreError
     */
    private function all(): array
    {
        if ($this->kept !== null) {
            return $this->kept;
        }
        $file = $this->window->file();
        if ($file === null) {
            return $this->kept = [];
        }
        if ($file->values('exemplars') > self::MAX_VALUES) {
            throw new DamagedRun("{$this->window->path}: too large for exemplars");
        }
        $document = $file->has('exemplars') ? $file->document('exemplars') : [];
        $list = array_filter(is_array($document['exemplars'] ?? null) ? $document['exemplars'] : [], is_array(...));
        $nodes = array_map(static fn (array $one): int => MetaValues::isCount($one['n'] ?? null) ? max(0, $one['n']) : 0, $list);
        $found = [];
        $first = 0;
        foreach ($list as $i => $one) {
            $count = static fn (string $key): int => MetaValues::isCount($one[$key] ?? null) ? max(0, $one[$key]) : 0;
            $isKnown = in_array($one['kind'] ?? null, [self::SLOWEST, self::RANDOM], true);
            if ($isKnown && is_string($one['route'] ?? null)) {
                $found[self::hash($one['route'])][$one['kind']] = [
                    'wall_us' => $count('wall_us'),
                    'cpu_us' => $count('cpu_us'),
                    'peak' => $count('peak'),
                    'ended' => $count('ended'),
                    'failed' => ($one['failed'] ?? null) === true,
                    'samples' => $count('samples'),
                    'trace_id' => self::digits($one['trace_id'] ?? null, 32),
                    'span_id' => self::digits($one['span_id'] ?? null, 16),
                    'data' => ['route' => $one['route']]
                        + self::cut($document, array_sum($nodes), $first, $nodes[$i], ($one['allocations'] ?? null) === true),
                ];
            }
            $first += $nodes[$i];
        }

        return $this->kept = $found;
    }

    /**
     * @param array<mixed> $document
     * @param int          $all       nodes
     * @param bool         $allocated whether its allocations were recorded
     *
     * @return array<string, mixed> the columns of one, as far as they are there; of the wrong length they stay as they are
     */
    private static function cut(array $document, int $all, int $first, int $nodes, bool $allocated): array
    {
        $cut = static fn (mixed $column): mixed => is_array($column) && count($column) === $all
            ? array_slice($column, $first, $nodes)
            : $column;
        $self = $allocated && is_array($document['self'] ?? null) ? $document['self'] : [];

        return array_map($cut, array_intersect_key($document, array_flip(self::COLUMNS))) + ['self' => array_map($cut, $self)];
    }

    /** @return array{0: RunId, 1: key-of<self::TITLES>, 2: string}|null the window, the kind, and the hash of the route */
    private static function parts(RunId $id): ?array
    {
        if (preg_match('/\A(.+)' . self::END . '\z/', $id->id, $match) !== 1) {
            return null;
        }
        /** @var key-of<self::TITLES> $kind */
        $kind = $match[2];

        return [RunId::fromStrings($match[1], $id->source), $kind, $match[3]];
    }

    private static function hash(string $route): string
    {
        return substr(hash('sha256', $route), 0, self::HASH_DIGITS);
    }
}

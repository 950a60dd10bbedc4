<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

/** Writes heap snapshots as the extension does, with contents that a test makes up. */
final class HeapFixture
{
    public const ROOTS = [
        'call_frames', 'global_variables', 'function_table', 'class_table', 'global_constants', 'included_files',
        'interned_strings', 'objects_store', 'resources', 'engine', 'native_memory', 'unreachable', 'collector',
    ];

    /** @var array<int, array<string, mixed>> */
    private array $nodes = [];

    /** @var list<array<string, mixed>> */
    private array $paths = [];

    /** Address of the next node. */
    public int $next = 0x7f0000001000;

    /** @param array<string, mixed> $header in addition */
    public function __construct(private array $header = [])
    {
        foreach (self::ROOTS as $number => $name) {
            $this->nodes[$number + 1] = ['a' => $number + 1, 't' => 'root', 's' => 0, 'c' => $name];
        }
    }

    /**
     * @param int|null             $bytes of its block, 0: it has none, null: as many as it uses
     * @param array<string, mixed> $more  keys of the format
     * @return int its address
     */
    public function add(string $type, string $name = '', int $size = 16, ?int $bytes = null, array $more = []): int
    {
        $address = $this->next;
        $this->next += 64;
        $this->nodes[$address] = ['a' => $address, 't' => $type, 's' => $size, 'b' => $bytes ?? $size]
            + ($name === '' ? [] : ['c' => $name]) + $more;

        return $address;
    }

    /** @param string $kind "", "p" or "w" */
    public function refer(int $from, string|int $label, int $to, string $kind = ''): void
    {
        $this->nodes[$from]['e'][] = $kind === '' ? [$label, $to] : [$label, $to, $kind];
    }

    public function scalar(int $from, string|int $label, mixed $value): void
    {
        $this->nodes[$from]['e'][] = [$label, null, $value];
    }

    public function root(string $name): int
    {
        return (int) array_search($name, self::ROOTS, true) + 1;
    }

    public function path(int $number, string $function, int $parent = 0): void
    {
        $this->paths[] = ['p' => $number, 'parent' => $parent, 'fn' => $function];
    }

    /** @param array<string, mixed>|null $summary in addition; null: no last line */
    public function text(?array $summary = []): string
    {
        $rows = [[
            'xhprof_heap' => 1, 'php' => '8.2.35', 'pid' => 4711, 'sapi' => 'cli', 'host' => 'box', 'command' => 'php worker.php',
            'time' => 1763700000, 'reader' => 'inside', 'stopped' => true, 'peak' => 2000, 'max_string' => 80,
            'redacted' => false,
        ], ...$this->paths, ...array_values($this->nodes)];
        $rows[0] = array_replace($rows[0], ['usage' => array_sum(array_column($this->nodes, 'b'))], $this->header);
        if ($summary !== null) {
            $bytes = static fn (array $nodes): array => [
                'bytes' => array_sum(array_column($nodes, 'b')),
                'blocks' => count(array_filter(array_column($nodes, 'b'))),
            ];
            $of = static fn (string ...$types): \Closure => static fn (array $node): bool => in_array($node['t'], $types, true);
            $tiers = [
                'native' => $bytes(array_filter($this->nodes, $of('native'))),
                'unreachable' => $bytes(array_filter($this->nodes, $of('unreachable'))),
            ];
            $all = $bytes($this->nodes);
            $typed = $all['bytes'] - $tiers['native']['bytes'] - $tiers['unreachable']['bytes'];
            $tiers['typed'] = [
                'bytes' => $typed,
                'blocks' => $all['blocks'] - $tiers['native']['blocks'] - $tiers['unreachable']['blocks'],
            ];
            $rows[] = ['end' => true, 'summary' => $summary + $tiers + [
                'nodes' => count($this->nodes),
                'edges' => array_sum(array_map(static fn (array $node): int => count($node['e'] ?? []), $this->nodes)),
                'usage' => $all['bytes'],
                'shared_bytes' => 0,
                'outside_bytes' => 0,
                'typed_percent' => round(100 * $typed / max(1, $all['bytes']), 1),
                'unreadable' => 0,
                'incomplete' => false,
            ]];
        }
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR;

        return implode('', array_map(static fn (array $row): string => json_encode($row, $flags) . "\n", $rows));
    }

    /**
     * A worker: a cache that grows, a cycle that nothing keeps, a lost block, weak references, native memory, call frames.
     *
     * @param int $jobs objects in its cache
     * @return array<string, int> addresses by name
     */
    public function worker(int $jobs = 100): array
    {
        $this->path(1, 'main()');
        $this->path(2, 'Worker::run', 1);
        $this->path(3, 'Cache::remember', 2);
        $named = [];
        $named['cache'] = $cache = $this->add('object', 'App\Cache', 56, 64, ['r' => 2, 'p' => 2]);
        $named['items'] = $items = $this->add('array', '', 56, 56, ['r' => 1, 'n' => $jobs, 'p' => 2]);
        $table = $this->add('array table', '', 16 * $jobs, 16 * $jobs, ['p' => 3]);
        $this->refer($this->root('global_variables'), 'cache', $cache);
        $this->refer($cache, 'items', $items);
        $this->refer($items, 'table', $table, 'p');
        $shared = $this->add('string', '', 40, 40, ['v' => 'the same', 'n' => 8, 'r' => $jobs]);
        for ($i = 0; $i < $jobs; $i++) {
            $job = $this->add('object', 'App\Job', 72, 80, ['r' => 1, 'p' => 3]);
            $name = $this->add('string', '', 24 + $i, 32 + 8 * intdiv($i, 8), ['v' => "job $i", 'n' => 5, 'r' => 1]);
            $this->refer($items, $i, $job);
            $this->refer($job, 'name', $name);
            $this->refer($job, 'kind', $shared);
            $this->scalar($job, 'tries', $i);
            $this->refer($this->root('objects_store'), $i, $job, 'w');
            $named["job$i"] = $job;
        }
        $frame = $this->add('frame', 'App\Worker::run', 96, 0, ['f' => '/app/worker.php', 'l' => 12]);
        $this->refer($this->root('call_frames'), 0, $frame);
        $this->refer($frame, 'job', $named['job7']);
        $this->refer($frame, 'this', $cache);
        $class = $this->add('class', 'App\Registry', 400, 400);
        $static = $this->add('array', '', 56, 56, ['n' => 1]);
        $named['service'] = $service = $this->add('object', 'App\Service', 48, 48);
        $this->refer($this->root('class_table'), 'app\registry', $class);
        $this->refer($class, '$services', $static);
        $this->refer($static, 'mailer', $service);
        $one = $named['parent'] = $this->add('object', 'App\Node', 100, 112, ['r' => 1]);
        $two = $named['child'] = $this->add('object', 'App\Node', 100, 112, ['r' => 1]);
        $big = $this->add('string', '', 5000, 5120, ['v' => str_repeat('x', 80), 'n' => 4976]);
        $this->refer($this->root('objects_store'), $jobs, $one, 'w');
        $this->refer($this->root('objects_store'), $jobs + 1, $two, 'w');
        $this->refer($one, 'child', $two);
        $this->refer($two, 'parent', $one);
        $this->refer($two, 'text', $big);
        $this->refer($two, 'kind', $shared);
        $weak = $this->add('object', 'WeakReference', 40, 40);
        $this->refer($this->root('global_variables'), 'weak', $weak);
        $this->refer($weak, 'referent', $one, 'w');
        $this->refer($this->root('native_memory'), 'libxml2.so', $this->add('native', 'libxml2.so', 3072, 3072));
        $named['lost'] = $this->add('unreachable', 'string?', 320, 320);
        $this->refer($this->root('unreachable'), 0, $named['lost'], 'w');

        return $named;
    }
}

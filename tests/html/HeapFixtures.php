<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

/**
 * Heap snapshots of every kind that the pages must show: a worker before and after it has filled a cache, one whose names attack
 * the page, damaged ones.
 */
final class HeapFixtures
{
    public const BEFORE = 'worker-before';
    public const AFTER = 'worker-after';
    public const HOSTILE = 'hostile';
    public const CUT_OFF = 'cut-off';
    public const GARBAGE = 'garbage';
    public const EMPTY_FILE = 'empty';
    public const NEWER = 'newer-format';

    public const ORDERS = 400;
    public const ORDER = 'App\Entity\Order';
    public const CACHE = 'App\Cache\MemoryCache';
    public const EVENT = 'App\Event\PageCached';

    /** Strings in the cache by the snapshot. */
    public const CACHED = [self::BEFORE => 60, self::AFTER => 260];
    public const CACHED_BYTES = 5120;

    private const ROOTS = [
        1 => 'call_frames', 'global_variables', 'function_table', 'class_table', 'global_constants', 'included_files',
        'interned_strings', 'objects_store', 'resources', 'engine', 'native_memory', 'unreachable',
    ];

    /** @var list<array<string, mixed>> */
    private array $lines = [];

    /** @var array<int, list<array{0: int|string, 1: int|null, 2?: scalar|null}>> references of the roots */
    private array $roots = [];

    /** @var array<string, array{tier: string, t: string, c: string, count: int, bytes: int, size: int}> */
    private array $groups = [];

    private int $next = 0x7f3a40000000;
    private int $edges = 0;
    private int $nodes = 0;

    public static function build(string $folder): void
    {
        self::write($folder, self::BEFORE, self::worker(self::CACHED[self::BEFORE], 1763680000));
        self::write($folder, self::AFTER, self::worker(self::CACHED[self::AFTER], 1763680300));
        self::write($folder, self::HOSTILE, self::hostile());
        $whole = self::worker(5, 1763670000);
        self::write($folder, self::CUT_OFF, substr($whole, 0, intdiv(strlen($whole), 2)));
        self::write($folder, self::GARBAGE, "\x1f\x8b\x08<b>not JSON</b>\n{\n");
        self::write($folder, self::EMPTY_FILE, '');
        self::write($folder, self::NEWER, "{\"xhprof_heap\":2,\"php\":\"9.0.0\"}\n{\"end\":true}\n");
        // What is no name of a snapshot is not shown.
        file_put_contents("$folder/strange name\$.heap.jsonl", $whole);
        file_put_contents("$folder/.hidden.heap.jsonl", $whole);
        $times = [self::BEFORE => 1763680000, self::AFTER => 1763680300, self::HOSTILE => 1763671000, self::CUT_OFF => 1763670000];
        $times += [self::GARBAGE => 1763660000, self::EMPTY_FILE => 1763650000, self::NEWER => 1763640000];
        foreach ($times as $name => $time) {
            touch("$folder/$name.heap.jsonl", $time);
        }
    }

    private static function write(string $folder, string $name, string $bytes): void
    {
        file_put_contents("$folder/$name.heap.jsonl", $bytes);
    }

    /** A queue's worker: an object graph of orders, a cache that grows, code, a stream, some blocks that nothing refers to. */
    public static function worker(int $cached, int $time): string
    {
        $heap = new self();
        $heap->header(['command' => 'php bin/console messenger:consume orders --limit=1000', 'time' => $time]);
        $heap->path(1, 0, '{main}');
        $heap->path(2, 1, 'Symfony\Component\Console\Application::run');
        $heap->path(3, 2, 'App\Worker\OrderWorker::consume');
        $heap->path(4, 3, 'App\Repository\OrderRepository::findOpen');
        $heap->path(5, 4, self::ORDER . '::__construct');
        $heap->path(6, 3, self::CACHE . '::get');
        $heap->path(7, 6, 'str_repeat');

        $template = $heap->node('string', 23, 32, ['v' => 'App\Template: {{ row }}', 'n' => 23, 'r' => 7]);
        $orders = [];
        $customers = [];
        for ($i = 0; $i < 40; $i++) {
            $name = $heap->node('string', 40, 48, ['v' => "customer $i <c$i@shop.example>", 'n' => 31, 'r' => 1, 'p' => 4]);
            $own = ['c' => 'App\Entity\Customer', 'r' => 12, 'p' => 4];
            $customers[] = $heap->node('object', 72, 80, $own, [['name', $name], ['id', null, $i]]);
        }
        for ($i = 0; $i < self::ORDERS; $i++) {
            $rows = [];
            for ($row = 0; $row < 3; $row++) {
                $sku = $heap->node('string', 34, 40, ['v' => sprintf('SKU-%05d', $i * 3 + $row), 'n' => 9, 'r' => 1, 'p' => 5]);
                $rows[] = $heap->node('object', 88, 96, ['c' => 'App\Entity\OrderLine', 'r' => 1, 'p' => 5], [
                    ['sku', $sku], ['quantity', null, 1 + $row], ['price', null, 19.5 + $i],
                ]);
            }
            $lines = $heap->table($rows, 5);
            $orders[] = $heap->node('object', 104, 112, ['c' => self::ORDER, 'r' => 2, 'p' => 5], [
                ['id', null, 1000 + $i], ['customer', $customers[$i % 40]], ['lines', $lines], ['paid', null, $i % 2 === 0],
            ]);
        }
        // Elsewhere, so that all else has the same address in both.
        $here = $heap->next;
        $heap->next = 0x7f3a80000000;
        $entries = [];
        for ($i = 0; $i < $cached; $i++) {
            $value = ['v' => "<html><body>page $i " . str_repeat('x', 40), 'n' => self::CACHED_BYTES - 200, 'r' => 1, 'p' => 7];
            $entries["page:$i"] = $heap->node('string', self::CACHED_BYTES - 176, self::CACHED_BYTES, $value);
        }
        $logged = [];
        $heap->next = 0x7f3ac0000000;
        for ($i = 0; $i < intdiv($cached, 10); $i++) {
            $page = $entries['page:' . 10 * $i];
            $own = ['c' => self::EVENT, 'r' => 1, 'p' => 6];
            $logged[] = $heap->node('object', 56, 56, $own, [['page', $page], ['at', null, 1763680000 + $i]]);
        }
        $tables = [$heap->table($entries, 6), $heap->table($logged, 6)];
        $heap->next = $here;
        $cache = $heap->node('object', 56, 56, ['c' => self::CACHE, 'r' => 3, 'p' => 3], [
            ['entries', $tables[0]], ['template', $template], ['hits', null, 17], ['log', $tables[1]],
        ]);
        $listener = $heap->node('closure', 344, 384, ['c' => 'Closure', 'r' => 1, 'f' => '/srv/app/lib/Kernel.php', 'l' => 88], [
            ['$this', $cache, 'p'], ['orders', $heap->table($orders, 4)],
        ]);
        $statement = $heap->node('object', 200, 224, ['c' => 'PDOStatement', 'r' => 1]);
        $buffer = $heap->node('native', 8192, 8192, ['c' => 'PDOStatement']);
        $heap->link($statement, ['', $buffer, 'p']);
        $queue = $heap->node('object', 56, 56, ['c' => 'SplObjectStorage', 'r' => 1, 'p' => 3], [[0, $orders[0]], [1, $orders[1]]]);
        $worker = $heap->node('object', 120, 128, ['c' => 'App\Worker\OrderWorker', 'r' => 2, 'p' => 2], [
            ['cache', $cache], ['statement', $statement], ['queue', $queue],
            ['listeners', $heap->table(['order.paid' => $listener], 3)], ['name', null, 'orders'], ['limit', null, 1000],
            ['last', null, null],
        ]);
        $kernel = $heap->node('object', 88, 96, ['c' => 'App\Kernel', 'r' => 1, 'p' => 1], [['worker', $worker]]);
        $place = ['c' => 'App\Worker\OrderWorker::consume', 'f' => '/srv/app/lib/Worker/OrderWorker.php', 'l' => 41];
        $frame = $heap->node('frame', 176, 0, $place, [
            ['this', $worker], ['order', $orders[self::ORDERS - 1]], ['attempt', null, 3],
        ]);
        $place = ['c' => '{main}', 'f' => '/srv/app/bin/console', 'l' => 17];
        $main = $heap->node('frame', 96, 0, $place, [['kernel', $kernel]]);
        $stack = $heap->node('vm stack', 262144, 262144, ['c' => 'vm stack']);
        $heap->root(1, [0, $frame], [1, $main]);
        $heap->root(2, ['kernel', $kernel], ['argc', null, 4]);
        $stream = $heap->node('native', 8320, 8320, ['c' => 'stream']);
        $heap->root(9, [1, $heap->node('resource', 32, 32, ['c' => 'stream', 'r' => 1], [['', $stream, 'p']])]);
        $arena = $heap->node('arena', 131072, 131072, ['c' => 'compiler']);
        $heap->root(10, ['vm stack', $stack, 'p'], ['arena', $arena, 'p']);
        $heap->root(11, ['libxml2.so.2', $heap->node('native', 3072, 3072, ['c' => 'libxml2.so.2'])]);
        $heap->code();
        $heap->root(8, ...array_map(static fn (int $order): array => ['object', $order, 'w'], $orders));
        for ($i = 0; $i < 6; $i++) {
            $lost = $heap->node('unreachable', 48, 56, ['c' => $i % 2 === 0 ? 'string?' : 'object? App\Entity\Lost']);
            $heap->root(12, ['', $lost, 'w']);
        }

        return $heap->finish();
    }

    /** Names that attack the page, references that lead nowhere, a cycle, sizes that are none. */
    private static function hostile(): string
    {
        $heap = new self();
        $heap->header([
            'command' => '<img src=x onerror=alert(5)>', 'time' => 1763671000, 'host' => '<b>host</b>', 'sapi' => '"><s>',
            'pid' => 666,
        ]);
        $names = [...Fixtures::HOSTILE_NAMES, Fixtures::longName()];
        foreach ($names as $i => $name) {
            $name = self::utf8($name);
            $heap->path($i + 1, $i, $name);
            $value = $heap->node('string', 64 + strlen($name), 2048, ['v' => $name, 'n' => strlen($name), 'r' => 1, 'p' => $i + 1]);
            $object = $heap->node('object', 72, 4096, ['c' => $name, 'r' => 1, 'p' => $i + 1, 'f' => $name], [
                [$name, $value], ["$name scalar", null, $name], [$i, $value], ['nowhere', 12345678],
            ]);
            $heap->link($object, ['itself', $object]);
            $class = $heap->node('class', 512, 512, ['c' => $name, 'f' => $name, 'l' => -7]);
            $heap->root(2, [$name, $object]);
            $heap->root(4, [$name, $class]);
            $heap->root(12, ['', $heap->node('unreachable', 48, 56, ['c' => "object? $name"]), 'w']);
            $heap->root(11, [$name, $heap->node('native', 100, 128, ['c' => $name])]);
        }

        return $heap->finish();
    }

    /** Classes and functions as a framework has them. */
    private function code(): void
    {
        $classes = ['Entity\Order', 'Entity\OrderLine', 'Entity\Customer', 'Cache\MemoryCache', 'Worker\OrderWorker', 'Kernel'];
        foreach ($classes as $short) {
            $class = "App\\$short";
            $file = '/srv/app/lib/' . basename(strtr($class, '\\', '/')) . '.php';
            $method = $this->node('function', 232, 0, ['c' => "$class::__construct", 'f' => $file, 'l' => 12]);
            $this->link($method, ['opcodes', $this->node('opcodes', 1500, 1536), 'p']);
            $this->link($method, ['runtime cache', $this->node('runtime cache', 96, 96), 'p']);
            $node = $this->node('class', 520, 0, ['c' => $class, 'f' => $file, 'l' => 9]);
            $this->link($node, ['methods', $this->node('class part', 320, 320, ['c' => 'methods']), 'p']);
            $this->link($node, ['__construct', $method]);
            $this->root(4, [strtolower($class), $node]);
        }
        for ($i = 0; $i < 40; $i++) {
            $place = ['f' => '/srv/app/vendor/helpers.php', 'l' => 10 * $i];
            $function = $this->node('function', 232, 0, ['c' => "helper_$i"] + $place);
            $this->link($function, ['opcodes', $this->node('opcodes', 700, 768), 'p']);
            $this->root(3, ["helper_$i", $function]);
        }
    }

    /** @param array<string, mixed> $own */
    private function header(array $own): void
    {
        $this->lines[] = ['xhprof_heap' => 1] + $own + [
            'php' => '8.2.35', 'pid' => 4242, 'sapi' => 'cli', 'host' => 'worker-1.shop.example', 'reader' => 'inside',
            'stopped' => true, 'usage' => 0, 'peak' => 3355443, 'real_usage' => 4194304, 'limit' => 134217728, 'chunks' => 2,
            'max_string' => 80, 'redacted' => false,
        ];
    }

    private function path(int $number, int $parent, string $function): void
    {
        $this->lines[] = ['p' => $number, 'parent' => $parent, 'fn' => $function];
    }

    /**
     * @param array<string, mixed> $own
     * @param list<array{0: int|string, 1: int|null, 2?: scalar|null}> $references
     */
    private function node(string $type, int $size, int $block, array $own = [], array $references = []): int
    {
        $address = $this->next;
        $this->next += max(16, $block);
        $this->lines[$address] = ['a' => $address, 't' => $type, 's' => $size, 'b' => $block] + $own + ['e' => $references];
        $name = in_array($type, ['string', 'array', 'array table'], true) ? '' : (string) ($own['c'] ?? '');
        $tier = ['native' => 'native', 'unreachable' => 'unreachable'][$type] ?? 'typed';
        $empty = ['tier' => $tier, 't' => $type, 'c' => $name, 'count' => 0, 'bytes' => 0, 'size' => 0];
        $group = $this->groups["$type $name"] ?? $empty;
        $group['count']++;
        $group['bytes'] += $block;
        $group['size'] += $size;
        $this->groups["$type $name"] = $group;
        $this->nodes++;

        return $address;
    }

    /** @param array{0: int|string, 1: int|null, 2?: scalar|null} ...$references */
    private function root(int $root, array ...$references): void
    {
        array_push($this->roots[$root], ...$references);
    }

    /** @param array{0: int|string, 1: int|null, 2?: scalar|null} $reference */
    private function link(int $from, array $reference): void
    {
        $this->lines[$from]['e'][] = $reference;
    }

    /** @param array<int|string, int> $elements node by key */
    private function table(array $elements, int $path): int
    {
        $references = [];
        foreach ($elements as $key => $to) {
            $references[] = [$key, $to];
        }
        $slots = max(8, 1 << (int) ceil(log(max(1, count($elements)), 2)));
        $bytes = $slots * (array_is_list($elements) ? 16 : 36);
        $table = $this->node('array table', $bytes, $bytes, ['p' => $path]);

        $own = ['r' => 1, 'n' => count($elements), 'p' => $path];

        return $this->node('array', 56, 56, $own, [['table', $table, 'p'], ...$references]);
    }

    private function finish(): string
    {
        $usage = array_sum(array_column($this->groups, 'bytes'));
        $this->lines[0]['usage'] = $usage;
        foreach (self::ROOTS as $address => $name) {
            $this->lines[] = ['a' => $address, 't' => 'root', 's' => 0, 'c' => $name, 'e' => $this->roots[$address]];
        }
        $tiers = array_fill_keys(['typed', 'native', 'unreachable'], ['bytes' => 0, 'blocks' => 0]);
        $types = [];
        $named = ['object' => [], 'native' => []];
        foreach ($this->groups as $group) {
            ['t' => $type, 'c' => $name, 'count' => $count, 'bytes' => $bytes, 'size' => $size] = $group;
            $tier = $tiers[$group['tier']] ?? ['bytes' => 0, 'blocks' => 0];
            $tiers[$group['tier']] = ['bytes' => $tier['bytes'] + $bytes, 'blocks' => $tier['blocks'] + ($bytes > 0 ? $count : 0)];
            $sums = $types[$type] ?? ['count' => 0, 'bytes' => 0, 'size' => 0];
            $types[$type] = [
                'count' => $sums['count'] + $count, 'bytes' => $sums['bytes'] + $bytes, 'size' => $sums['size'] + $size,
            ];
            $named[$type === 'closure' ? 'object' : $type][$name] = ['count' => $count, 'bytes' => $bytes, 'size' => $size];
        }
        foreach ($this->lines as $line) {
            $this->edges += count($line['e'] ?? []);
        }
        $this->lines[] = ['end' => true, 'summary' => [
            'nodes' => $this->nodes + count(self::ROOTS), 'edges' => $this->edges, 'usage' => $usage,
        ] + $tiers + [
            'shared_bytes' => 0, 'outside_bytes' => 0, 'typed_percent' => round(100 * $tiers['typed']['bytes'] / max(1, $usage), 2),
            'unreadable' => 0, 'incomplete' => false, 'took_ms' => 12, 'types' => $types,
            'classes' => $named['object'] ?: new \stdClass(),
            'owners' => $named['native'] ?: new \stdClass(),
        ]];
        $text = '';
        foreach ($this->lines as $line) {
            $line = array_filter($line, static fn (mixed $value): bool => $value !== []);
            $text .= json_encode($line, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE) . "\n";
        }

        return $text;
    }

    /** As the writer tells bytes that are no UTF-8. */
    private static function utf8(string $name): string
    {
        return preg_match('//u', $name) === 1 ? $name : (string) preg_replace_callback(
            '/[\x80-\xFF]/',
            static fn (array $byte): string => sprintf('\x%02X', ord($byte[0])),
            $name,
        );
    }

    private function __construct()
    {
        $this->roots = array_fill_keys(array_keys(self::ROOTS), []);
    }
}

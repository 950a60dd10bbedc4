<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Tests\Lib\Support\HeapFixture;

require_once __DIR__ . '/../lib/Support/HeapFixture.php';

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

    private readonly HeapFixture $fixture;

    /** @param array<string, mixed> $header */
    private function __construct(array $header)
    {
        $this->fixture = new HeapFixture($header + [
            'pid' => 4242, 'host' => 'worker-1.shop.example', 'peak' => 3355443, 'real_usage' => 4194304, 'limit' => 134217728,
            'chunks' => 2,
        ]);
        $this->fixture->next = 0x7f3a40000000;
    }

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
        // A file whose name is not a snapshot's is not shown.
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
        $heap = new self(['command' => 'php bin/console messenger:consume orders --limit=1000', 'time' => $time]);
        $heap->fixture->path(1, '{main}', 0);
        $heap->fixture->path(2, 'Symfony\Component\Console\Application::run', 1);
        $heap->fixture->path(3, 'App\Worker\OrderWorker::consume', 2);
        $heap->fixture->path(4, 'App\Repository\OrderRepository::findOpen', 3);
        $heap->fixture->path(5, self::ORDER . '::__construct', 4);
        $heap->fixture->path(6, self::CACHE . '::get', 3);
        $heap->fixture->path(7, 'str_repeat', 6);

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
        // At other addresses, so that everything else has the same address in both.
        $here = $heap->fixture->next;
        $heap->fixture->next = 0x7f3a80000000;
        $entries = [];
        for ($i = 0; $i < $cached; $i++) {
            $value = ['v' => "<html><body>page $i " . str_repeat('x', 40), 'n' => self::CACHED_BYTES - 200, 'r' => 1, 'p' => 7];
            $entries["page:$i"] = $heap->node('string', self::CACHED_BYTES - 176, self::CACHED_BYTES, $value);
        }
        $logged = [];
        $heap->fixture->next = 0x7f3ac0000000;
        for ($i = 0; $i < intdiv($cached, 10); $i++) {
            $page = $entries['page:' . 10 * $i];
            $own = ['c' => self::EVENT, 'r' => 1, 'p' => 6];
            $logged[] = $heap->node('object', 56, 56, $own, [['page', $page], ['at', null, 1763680000 + $i]]);
        }
        $tables = [$heap->table($entries, 6), $heap->table($logged, 6)];
        $heap->fixture->next = $here;
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

        return $heap->fixture->text();
    }

    /** Names that attack the page, references that lead nowhere, a cycle, invalid sizes. */
    private static function hostile(): string
    {
        $heap = new self([
            'command' => '<img src=x onerror=alert(5)>', 'time' => 1763671000, 'host' => '<b>host</b>', 'sapi' => '"><s>',
            'pid' => 666,
        ]);
        $names = [...Fixtures::HOSTILE_NAMES, Fixtures::longName()];
        foreach ($names as $i => $name) {
            $name = self::utf8($name);
            $heap->fixture->path($i + 1, $name, $i);
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

        return $heap->fixture->text();
    }

    /** Classes and functions like a framework's. */
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

    /**
     * @param array<string, mixed> $own
     * @param list<array{0: int|string, 1: int|null, 2?: scalar|null}> $references
     */
    private function node(string $type, int $size, int $block, array $own = [], array $references = []): int
    {
        $address = $this->fixture->add($type, (string) ($own['c'] ?? ''), $size, $block, $own);
        $this->root($address, ...$references);

        return $address;
    }

    /** @param array{0: int|string, 1: int|null, 2?: scalar|null} ...$references */
    private function root(int $root, array ...$references): void
    {
        foreach ($references as $reference) {
            $this->link($root, $reference);
        }
    }

    /** @param array{0: int|string, 1: int|null, 2?: scalar|null} $reference */
    private function link(int $from, array $reference): void
    {
        [$label, $to] = $reference;
        $kind = $reference[2] ?? null;
        if ($to === null) {
            $this->fixture->scalar($from, $label, $kind);
        } else {
            $this->fixture->refer($from, $label, $to, (string) $kind);
        }
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

    /** The writer's form of bytes that are not UTF-8. */
    private static function utf8(string $name): string
    {
        return preg_match('//u', $name) === 1 ? $name : (string) preg_replace_callback(
            '/[\x80-\xFF]/',
            static fn (array $byte): string => sprintf('\x%02X', ord($byte[0])),
            $name,
        );
    }
}

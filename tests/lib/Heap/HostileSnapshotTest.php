<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedSnapshot;
use XHProf\Exception\StoreError;
use XHProf\Exception\XHProfException;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';

/**
 * Snapshots that are cut, damaged or malicious: one line that reports it, and memory in proportion to the file.
 */
final class HostileSnapshotTest extends TestCase
{
    use HeapFolder;

    private const HEADER = '{"xhprof_heap":1,"php":"8.2.35","pid":1}' . "\n";
    private const ROOT = '{"a":2,"t":"root","c":"global_variables","e":[["x",100]]}' . "\n";
    private const END = '{"end":true,"summary":{"nodes":2}}' . "\n";

    /** @return iterable<string, array{string, string}> */
    public static function damages(): iterable
    {
        $node = static fn (string $more): string
            => self::HEADER . self::ROOT . "{\"a\":100,\"t\":\"object\",\"c\":\"A\"$more}\n" . self::END;
        yield 'empty' => ['', 'the file is empty'];
        yield 'something else' => ["hello\n", 'this is not a heap snapshot'];
        yield 'an array' => ["[1]\n", 'this is not a heap snapshot'];
        $bytes = implode('', array_map(static fn (int $i): string => md5((string) $i, true), range(1, 300)));
        yield 'binary' => [$bytes, 'this is not a heap snapshot'];
        yield 'gzipped' => [(string) gzencode(self::HEADER), 'gunzip it first'];
        yield 'of the future' => ['{"xhprof_heap":2}' . "\n", 'of format 2; only format 1'];
        yield 'for DevTools' => ['{"snapshot":{"meta":{}}}', 'for DevTools'];
        yield 'of reli' => ['{"summary":[],"location_types_summary":{}}', 'of the format reli'];
        yield 'not JSON' => [self::HEADER . "{\"a\":1,\n" . self::END, 'line 2: not JSON'];
        yield 'no object' => [self::HEADER . "7\n" . self::END, 'line 2: not JSON'];
        yield 'deep' => [self::HEADER . str_repeat('[', 5000) . "\n" . self::END, 'line 2: not JSON: maximum stack depth exceeded'];
        yield 'neither' => [self::HEADER . "{\"x\":1}\n", 'line 2: not a node, a call path or the end'];
        yield 'after the end' => [self::HEADER . self::END . self::ROOT, 'line 3: something follows after the last line'];
        yield 'address of text' => [self::HEADER . '{"a":"1","t":"root"}' . "\n", 'line 2: "a" is not an address'];
        yield 'address 0' => [self::HEADER . '{"a":0,"t":"root"}' . "\n", 'line 2: "a" is not an address'];
        yield 'huge address' => [self::HEADER . '{"a":1e300,"t":"root"}' . "\n", 'line 2: "a" is not an address'];
        yield 'twice' => [self::HEADER . self::ROOT . self::ROOT, 'line 3: address 0x2 appears twice'];
        yield 'no type' => [self::HEADER . '{"a":7}' . "\n", 'line 2: "t" or "c" is not a text'];
        yield 'class of numbers' => [$node(',"c":[1]'), 'line 3: "t" or "c" is not a text'];
        yield 'negative size' => [$node(',"s":-1'), 'line 3: "s" or "b" is not a number of bytes'];
        yield 'huge size' => [$node(',"s":9223372036854775807'), 'line 3: "s" or "b" is not a number of bytes'];
        yield 'a bad size' => [$node(',"b":1.5'), 'line 3: "s" or "b" is not a number of bytes'];
        yield 'references of text' => [$node(',"e":"x"'), 'line 3: "e" is not a list'];
        yield 'a reference of text' => [$node(',"e":["x"]'), 'line 3: a reference is not a list'];
        yield 'an empty reference' => [$node(',"e":[[]]'), 'line 3: a reference is not a list'];
        yield 'to text' => [$node(',"e":[["x","y"]]'), 'line 3: a reference has no address'];
        yield 'by a list' => [$node(',"e":[[[1],2]]'), 'line 3: the name of a reference is not a text'];
        yield 'unknown call path' => [$node(',"p":3'), 'line 3: "p" is not a call path of an earlier line'];
        yield 'call path in itself' => [
            self::HEADER . '{"p":3,"parent":3,"fn":"f"}' . "\n",
            'line 2: the parent or function of a call path is missing',
        ];
        yield 'call path twice' => [
            self::HEADER . '{"p":3,"fn":"f"}' . "\n" . '{"p":3,"fn":"g"}' . "\n",
            'line 3: "p" is not a new number of a call path',
        ];
        $types = '';
        for ($i = 1; $i < 80; $i++) {
            $types .= "{\"a\":$i,\"t\":\"type $i\"}\n";
        }
        yield 'types without end' => [self::HEADER . $types, 'line 66: too many types of nodes'];
        yield 'a long line without references' => [
            self::HEADER . '{"a":1,"t":"string","v":"' . str_repeat('x', 40 << 20) . "\"}\n" . self::END,
            'line 2: longer than 16 MB before its references',
        ];
        yield 'a long name of a reference' => [
            self::HEADER . '{"a":1,"t":"array","e":[["' . str_repeat('x', 10 << 20) . "\",2]]}\n" . self::END,
            'line 2: its references cannot be read',
        ];
        yield 'a long line that is torn' => [
            self::HEADER . '{"a":1,"t":"array","e":[' . str_repeat('["abc",2],', 400000) . "]}\n" . self::END,
            'line 2: its references cannot be read',
        ];
    }

    #[DataProvider('damages')]
    public function testDamageIsSaidInOneLine(string $text, string $message): void
    {
        try {
            $this->open($text);
            self::fail('it was read');
        } catch (DamagedSnapshot $error) {
            self::assertStringContainsString($message, $error->getMessage());
            self::assertStringStartsWith("{$this->snapshot()}: ", $error->getMessage());
            self::assertStringNotContainsString("\n", $error->getMessage());
        }
        self::assertSame([], glob("$this->folder/xhprof/*"), 'nothing is left behind');
    }

    public function testAFileThatIsNotThere(): void
    {
        $this->expectException(StoreError::class);
        $this->expectExceptionMessage('does not exist');
        HeapIndex::open($this->snapshot('none'));
    }

    public function testWhatIsCutIsReadAsFarAsItGoes(): void
    {
        $fixture = new HeapFixture();
        $fixture->worker(200);
        $text = $fixture->text();
        $nodes = 0;
        for ($bytes = strlen(self::HEADER) + 1200; $bytes < strlen($text) - 1; $bytes += 3001) {
            $index = $this->open(substr($text, 0, $bytes));
            self::assertStringContainsString('The end of the file is missing', $index->notes()[0]);
            self::assertGreaterThanOrEqual($nodes, $index->count());
            $nodes = $index->count();
            self::assertSame($index->summary()['usage'], array_sum(array_map(static fn (HeapGroup $group): int
                => $group->bytes, $index->types())));
            self::assertTrue($index->summary()['incomplete']);
        }
        self::assertGreaterThan(400, $nodes);
        self::assertSame([], $this->open(rtrim($text))->notes(), 'only the last line break is missing');
    }

    public function testReferencesToNowhereAreCounted(): void
    {
        $node = '{"a":7,"t":"object","c":"A","e":[["b",-5],["c",9],[1,8,"w"]]}' . "\n";
        $index = $this->open(self::HEADER . self::ROOT . $node . self::END);
        self::assertSame(['4 references lead to values outside of the file.'], $index->notes());
        $node = $index->node(7);
        self::assertNotNull($node);
        self::assertSame([null, null, null], array_column($index->references($node), 'node'));
        self::assertFalse($node->isLive);
        self::assertSame('(A)', $index->path($node)->text);
    }

    public function testALineOfManyMegabytesIsReadInPieces(): void
    {
        $count = 400000;
        $stream = fopen($this->snapshot(), 'wb');
        self::assertIsResource($stream);
        fwrite($stream, self::HEADER . self::ROOT . '{"a":100,"t":"array","s":56,"b":56,"n":' . $count . ',"e":[');
        for ($i = 0; $i < $count; $i++) {
            $name = match ($i % 4) {
                0 => (string) $i,
                1 => '"key \" ],[\\\\ ' . $i . '"',
                2 => '"p' . ($i % 5) . '"',
                3 => '-' . ($i + 1),
            };
            $to = $i % 1000 === 999 ? 'null,"]"' : (string) (200 + $i % 10);
            fwrite($stream, ($i === 0 ? '' : ',') . "[$name,$to" . ($i % 8 === 2 ? ',"p"]' : ']'));
        }
        fwrite($stream, "]}\n");
        for ($i = 0; $i < 10; $i++) {
            fwrite($stream, '{"a":' . (200 + $i) . ',"t":"object","c":"A","s":40,"b":40}' . "\n");
        }
        fwrite($stream, str_replace('2}', '12}', self::END));
        fclose($stream);
        $before = memory_get_usage();
        memory_reset_peak_usage();
        $index = HeapIndex::open($this->snapshot());
        self::assertLessThan(100 << 20, memory_get_peak_usage() - $before);
        self::assertSame([], $index->notes());
        $array = $index->node(100);
        self::assertNotNull($array);
        self::assertSame($count, $array->references);
        $shown = [];
        foreach ([0, 1, 2, 3, 999, 399997] as $number) {
            $reference = $index->references($array, $number, 1)[0];
            $shown[] = [$reference->kind, $reference->label, $reference->node?->address, $reference->scalar];
        }
        self::assertSame([
            ['index', '0', 200, ''], ['named', 'key " ],[\\ 1', 201, ''], ['part', 'p2', 202, ''], ['named', '-4', 203, ''],
            ['scalar', '-1000', null, ']'], ['named', 'key " ],[\\ 399997', 207, ''],
        ], $shown);
        self::assertSame(10 * 40 + 56, $array->retained);
        self::assertSame($count, $index->details($array)['length'] ?? null);
    }

    public function testLongNamesAreCutAndTheirNumberIsBounded(): void
    {
        $text = self::HEADER . '{"a":1,"t":"root","c":"' . str_repeat('r', 5000) . '"}' . "\n";
        for ($i = 0; $i < 66000; $i++) {
            $text .= '{"a":' . (100 + $i) . ',"t":"object","c":"Class' . $i . "\"}\n";
        }
        $index = $this->open($text . '{"end":true}' . "\n");
        self::assertLessThanOrEqual((1 << 16) + 1, count($index->classes()));
        self::assertSame(66000, array_sum(array_map(static fn (HeapGroup $group): int => $group->count, $index->classes())));
        self::assertSame(1024, strlen($index->roots()[0]->name));
    }

    public function testTooManyNodesAreRefused(): void
    {
        $fixture = new HeapFixture();
        for ($i = 0; $i < 20000; $i++) {
            $fixture->add('object', 'A');
        }
        $this->expectException(StoreError::class);
        $this->expectExceptionMessage('too many nodes: the limit is 10000');
        $this->open($fixture->text(), mostNodes: 10000);
    }

    public function testAnEndThatNamesManyClassesIsRead(): void
    {
        $classes = [];
        for ($i = 0; $i < 40000; $i++) {
            $classes["App\\A\\Rather\\Long\\Namespace\\Class$i"] = ['count' => 1, 'bytes' => 40, 'size' => 40];
        }
        $end = ['end' => true, 'summary' => ['nodes' => 2, 'usage' => 12345, 'classes' => $classes]];
        $node = '{"a":100,"t":"object","c":"A","s":40,"b":40}' . "\n";
        $index = $this->open(self::HEADER . self::ROOT . $node . json_encode($end, JSON_THROW_ON_ERROR) . "\n");
        self::assertSame([], $index->notes());
        self::assertSame(12345, $index->summary()['usage']);
    }

    public function testNamesThatAreNumbersStayNames(): void
    {
        $nodes = '{"a":100,"t":"object","c":"9","b":8,"e":[["10",101]]}' . "\n" . '{"a":101,"t":"7","c":"8","b":16}' . "\n";
        $index = $this->open(self::HEADER . self::ROOT . $nodes . self::END);
        self::assertSame(['7', 'object', 'root'], array_column($index->types(), 'type'));
        self::assertSame(['9'], array_column($index->classes(), 'name'));
        $object = $index->node(100);
        self::assertNotNull($object);
        self::assertSame(['7' => 1], $index->dominatedKinds($object));
    }

    /** @return iterable<string, array{int, \Closure(int): string, array<string, string>}> lines, each by number, messages */
    public static function large(): iterable
    {
        $refused = ['32M' => 'too large for the memory_limit of 32M', '64M' => 'too large for the memory_limit of 64M'];
        $node = static fn (int $i, string $references): string => '{"a":' . (100 + $i) . ',"t":"array","e":[' . $references . ']}';
        $many = static fn (int $count): string => str_repeat('[1,2],', $count) . '[1,2]';
        $long = static fn (string $text): string => '"' . str_pad($text, 1000, 'x') . '"';
        yield 'nodes' => [
            90000,
            static fn (int $i): string => sprintf('{"a":%d,"t":"object","c":"A","s":40,"b":40,"e":[["a",%d]]}', 100 + $i, 101 + $i),
            array_replace($refused, ['64M' => 'read']),
        ];
        yield 'a line of references' => [1, static fn (int $i): string => $node($i, $many(150000)), ['32M' => 'read']];
        yield 'a line of more' => [1, static fn (int $i): string => $node($i, $many(1500000)), $refused];
        yield 'few nodes of many references' => [40, static fn (int $i): string => $node($i, $many(60000)), $refused];
        yield 'call paths' => [500000, static fn (int $i): string => '{"p":' . ($i + 1) . ",\"fn\":\"f$i\"}", $refused];
        yield 'names' => [
            40000,
            static fn (int $i): string => '{"a":' . (100 + $i) . ',"t":"class","c":' . $long("$i") . '}',
            $refused,
        ];
        yield 'names of references' => [40000, static fn (int $i): string => $node($i, '[' . $long("$i") . ',2]'), $refused];
    }

    /**
     * memory_limit would end the process without a message: a refusal must come first.
     *
     * @param \Closure(int): string $line
     * @param array<string, string> $expected message by memory_limit
     */
    #[DataProvider('large')]
    public function testMemoryLimitIsRespected(int $lines, \Closure $line, array $expected): void
    {
        $stream = fopen($this->snapshot(), 'wb');
        self::assertIsResource($stream);
        fwrite($stream, self::HEADER . self::ROOT);
        for ($i = 0; $i < $lines; $i++) {
            fwrite($stream, $line($i) . "\n");
        }
        fclose($stream);
        $code = 'require $argv[1]; try { XHProf\Heap\HeapIndex::open($argv[2]); echo "read"; }'
            . ' catch (XHProf\Exception\StoreError $e) { echo $e->getMessage(); }';
        foreach ($expected as $limit => $said) {
            $command = [PHP_BINARY, '-n', '-d', "memory_limit=$limit", '-r', $code, __DIR__ . '/../../../xhprof_lib/autoload.php'];
            $arguments = implode(' ', array_map(escapeshellarg(...), [...$command, $this->snapshot()]));
            self::assertStringContainsString($said, (string) shell_exec("$arguments 2>&1"));
        }
    }

    public function testAnyDamageIsAnErrorOrANote(): void
    {
        $fixture = new HeapFixture();
        $fixture->worker(20);
        $text = $fixture->text();
        mt_srand(4711);
        for ($try = 0; $try < 400; $try++) {
            $broken = $text;
            for ($i = mt_rand(1, 6); $i > 0; $i--) {
                $at = mt_rand(0, strlen($broken) - 20);
                match (mt_rand(0, 3)) {
                    0 => $broken[$at] = chr(mt_rand(0, 255)),
                    1 => $broken = substr($broken, 0, $at) . substr($broken, $at + mt_rand(1, 200)),
                    2 => $broken = substr_replace($broken, substr($text, mt_rand(0, 5000), mt_rand(1, 200)), $at, 0),
                    3 => $broken = substr_replace($broken, (string) mt_rand(), $at, mt_rand(0, 10)),
                };
            }
            try {
                $index = $this->open($broken);
            } catch (XHProfException $error) {
                self::assertDoesNotMatchRegularExpression('/\n|internal/', $error->getMessage());
                continue;
            }
            self::assertGreaterThanOrEqual(0, $index->summary()['usage'] + count($index->notes()) + count($index->suspects()));
            foreach ([...$index->classes(), ...$index->types()] as $group) {
                $index->retainers($group);
                foreach ($index->members($group, 0, 3) as $node) {
                    $index->paths($node);
                    $index->details($node);
                    $index->references($node, 0, 5);
                    $index->referrers($node, 0, 5);
                }
            }
        }
    }
}

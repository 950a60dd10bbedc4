<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\Run\RunFile;
use XHProf\Run\RunFileWriter;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/TemporaryFolder.php';

/** What is written comes back as it was; whatever else a file holds, it is refused by name. */
final class RunFileTest extends TestCase
{
    use TemporaryFolder;

    /** @return iterable<string, array{list<int>, string, int}> values, their type, bytes of one */
    public static function columns(): iterable
    {
        yield 'nothing' => [[], 'same', 0];
        yield 'one value' => [[-7], 'same', 0];
        yield 'equal values' => [array_fill(0, 1000, 1 << 53), 'same', 0];
        yield 'bytes' => [[0, 255], 'u8', 1];
        yield 'two bytes' => [[256, 0, 65535], 'u16', 2];
        yield 'four bytes' => [[65536, (1 << 32) - 1], 'u32', 4];
        yield 'negative' => [[-1, 0], 'i32', 4];
        yield 'the smallest and the largest of four bytes' => [[-(1 << 31), (1 << 31) - 1], 'i32', 4];
        yield 'more than four bytes' => [[1 << 32, 0], 'f64', 8];
        yield 'less than four bytes' => [[-(1 << 31) - 1, 0], 'f64', 8];
        yield 'negative beside one of four bytes' => [[-1, 1 << 31], 'f64', 8];
        yield 'the largest' => [[1 << 53, -(1 << 53), (1 << 53) - 1], 'f64', 8];
        yield 'several pieces' => [range(0, 100000), 'u32', 4];
    }

    /** @param list<int> $values */
    #[DataProvider('columns')]
    public function testNumbersComeBackFromTheSmallestType(array $values, string $type, int $size): void
    {
        $bytes = RunFileWriter::bytes(['tree' => ['before' => [1, 2, 3], 'self' => ['wt' => $values], 'after' => [300, 4]]]);
        $file = RunFile::fromBytes($bytes, 'a');
        self::assertSame($type, self::head($bytes)['sections']['tree.self.wt']['type']);
        self::assertSame($values, $file->column('tree.self.wt'));
        self::assertSame(count($values), $file->count('tree.self.wt'));
        self::assertSame([1, 2, 3], $file->column('tree.before'));
        self::assertSame([300, 4], $file->column('tree.after'));
        self::assertSame(8 + intdiv(count($values) * $size + 7, 8) * 8 + 8, $file->bytesOf('tree'));
        self::assertSame(0, strlen($bytes) % 8);
    }

    public function testTextsComeBackWhateverTheyHold(): void
    {
        $texts = ['main()', '', "a\0b", 'naïve::größe', "\u{1F418}", "a\nb\"c\\", 'a==>b', '0'];
        $bytes = RunFileWriter::bytes(['tree' => ['names' => $texts, 'one' => ['only'], 'none' => ['', '']]]);
        $file = RunFile::fromBytes($bytes, 'a');
        self::assertSame($texts, $file->texts('tree.names'));
        self::assertSame(['only'], $file->texts('tree.one'));
        self::assertSame(['', ''], $file->texts('tree.none'));
        self::assertEquals(['names' => $texts, 'one' => ['only'], 'none' => ['', '']], $file->document('tree'));
        self::assertSame(count($texts), $file->count('tree.names'));
        self::assertSame([], RunFile::fromBytes(RunFileWriter::bytes(['tree' => ['names' => []]]), 'a')->texts('tree.names'));
    }

    public function testBytesThatAreNotUtf8AreWrittenAsText(): void
    {
        $bad = ["caf\xE9", "\xED\xA0\x80", "\xC0\x80", "ok \xF0\x9F\x90"];
        $bytes = RunFileWriter::bytes(['meta' => ["k\xFF" => "v\xFE", 'list' => $bad], 'tree' => ['names' => $bad]]);
        $file = RunFile::fromBytes($bytes, 'a');
        $good = ['caf\xE9', '\xED\xA0\x80', '\xC0\x80', 'ok \xF0\x9F\x90'];
        self::assertSame($good, $file->texts('tree.names'));
        self::assertSame(['k\xFF' => 'v\xFE', 'list' => $good], $file->document('meta'));
    }

    public function testADocumentIsTheArrayThatWasWritten(): void
    {
        $documents = [
            'meta' => ['v' => 1, 'id' => 'a', 'overhead' => ['user' => ['callee' => 9.0, 'caller' => 1.25]], 'list' => [1, 2, 3]],
            'tree' => [
                'order' => 'preorder', 'unit' => ['wt' => 'ns'], 'names' => ['main()', 'f'], 'fn' => [0, 1], 'depth' => [0, 1],
                'self' => ['wt' => [5, 1 << 40], 'a.b' => [1, 2]], 'mixed' => [1, 'a'], 'floats' => [1.5], 'null' => null,
                'large' => [PHP_INT_MAX, PHP_INT_MIN], 'deep' => ['er' => ['x' => [-1, 7], 'y' => 'text']], 'lists' => [[1], [2]],
                'numbers' => [5 => [1], 7 => [2]], 'no' => [],
            ],
            'exemplars' => ['exemplars' => [['route' => '/', 'n' => 2]], 'fn' => [1, 0]],
        ];
        $file = RunFile::fromBytes(RunFileWriter::bytes($documents), 'a');
        self::assertSame(array_keys($documents), $file->documents());
        foreach ($documents as $name => $document) {
            self::assertTrue($file->has($name));
            self::assertEquals($document, $file->document($name));
        }
        self::assertSame($documents['meta'], $file->head()['meta']);
        self::assertSame(['exemplars' => [['route' => '/', 'n' => 2]]], $file->head()['exemplars']);
        self::assertFalse($file->has('samples'));
        self::assertSame([], $file->document('samples'));
        self::assertSame(0, $file->count('samples.t'));
        self::assertSame(0, $file->bytesOf('samples'));
        self::assertFalse($file->hasColumn('tree.order'));
    }

    public function testAPartHasTheSameColumns(): void
    {
        $documents = [
            'meta' => ['id' => 'a', 'totals' => []],
            'tree' => ['names' => ['main()', 'f'], 'fn' => [0, 1, 0], 'ct' => [1, 1, 1]],
            'timeline' => ['t' => range(0, 5000), 'd' => [70000, -1]],
            'trees' => ['t' => [1, 2]],
        ];
        $file = RunFile::fromBytes(RunFileWriter::bytes($documents), 'a');
        foreach ([['timeline', 'meta'], ['tree', 'none'], [], array_keys($documents)] as $names) {
            $bytes = implode('', [...$file->part($names)]);
            $part = RunFile::fromBytes($bytes, 'part');
            $expected = array_intersect_key($documents, array_flip($names));
            self::assertEqualsCanonicalizing(array_keys($expected), $part->documents());
            foreach ($expected as $name => $document) {
                self::assertEquals($document, $part->document($name));
            }
            self::assertSame(array_sum(array_map($file->bytesOf(...), $names)), strlen($bytes) - self::length($bytes));
        }
        $more = ['tree' => ['metrics' => [['k' => 'wt']], 'v' => 7], 'none' => ['x' => 1]];
        $part = RunFile::fromBytes(implode('', [...$file->part(['tree'], $more)]), 'part');
        self::assertSame($more['tree'] + $documents['tree'], $part->document('tree'));
        self::assertSame(['tree'], $part->documents());
        $whole = RunFileWriter::bytes(['timeline' => ['gc' => (object) []]]);
        self::assertStringContainsString('"gc":{}', implode('', [...RunFile::fromBytes($whole, 'a')->part(['timeline'])]));
    }

    public function testColumnsAreReadOneAfterTheOther(): void
    {
        $document = ['n' => 2, 'names' => ['main()', 'f'], 'self' => ['wt' => [1, 2], 'unit' => 'ns']];
        $unread = RunFile::fromBytes(RunFileWriter::bytes(['tree' => $document]), 'a')->unread('tree');
        self::assertInstanceOf(\Closure::class, $unread['names']);
        self::assertInstanceOf(\Closure::class, $unread['self']['wt']);
        array_walk_recursive($unread, static function (mixed &$value): void {
            $value = $value instanceof \Closure ? array_merge(...$value()) : $value;
        });
        self::assertEquals($document, $unread);
    }

    public function testAFileIsReadPieceByPiece(): void
    {
        $path = "$this->folder/a.b.run";
        $values = range(1000000, 2000000);
        $tree = ['wt' => $values, 'cpu' => $values];
        file_put_contents($path, RunFileWriter::bytes(['tree' => $tree, 'samples' => ['t' => [3, 1]]]));
        $file = RunFile::open($path);
        memory_reset_peak_usage();
        $before = memory_get_usage();
        self::assertSame([3, 1], $file->column('samples.t'));
        self::assertLessThan($before + (1 << 20), memory_get_peak_usage());
        $read = $file->column('tree.wt');
        self::assertLessThan($before + (24 << 20), memory_get_peak_usage(), 'numbers of 16 bytes, and a piece');
        self::assertSame($values, $read);
        // As it was opened, whatever has its name now.
        rename($path, "$path.old");
        self::assertSame([3, 1], $file->column('samples.t'));
        file_put_contents("$path.old", 'short');
        $this->expectExceptionMessage('it has become shorter');
        $file->column('samples.t');
    }

    public function testOnlyARegularFileIsOpened(): void
    {
        file_put_contents("$this->folder/real", RunFileWriter::bytes([]));
        symlink('real', "$this->folder/link");
        mkdir("$this->folder/folder");
        self::assertSame([], RunFile::open("$this->folder/real")->documents());
        foreach (['link', 'folder', 'none'] as $name) {
            try {
                RunFile::open("$this->folder/$name");
                self::fail("$name was opened");
            } catch (StoreError $e) {
                self::assertSame("$this->folder/$name is not a regular file", $e->getMessage());
            }
        }
    }

    public function testAHeadIsBounded(): void
    {
        $this->expectException(InvalidProfile::class);
        RunFileWriter::bytes(['meta' => ['text' => str_repeat('a', 4 << 20)]]);
    }

    /** @return iterable<string, array{0: string, 1: string, 2?: string}> bytes, the message, the document that shows it */
    public static function damages(): iterable
    {
        $of = static fn (array $sections, string $bytes = '12345678', array $more = ['a' => []]): string
            => self::file((string) json_encode(['v' => 1] + $more + ['sections' => $sections]), $bytes);
        $u8 = ['type' => 'u8', 'at' => 0, 'n' => 8];
        yield 'nothing' => ['', 'the file is empty'];
        yield 'something else' => ['a:1:{s:6:"main()";a:1:{s:2:"ct";i:1;}}', 'not a run file'];
        yield 'a newer format' => ["xhprof-run 2 what comes is not known", 'written by a newer XHProf (format 2)'];
        yield 'a much newer format' => ['xhprof-run 17 64', 'written by a newer XHProf (format 17)'];
        yield 'no format' => ['xhprof-run 0 64' . "\n" . str_repeat(' ', 100), 'its first line is damaged'];
        yield 'no length' => ["xhprof-run 1 \n", 'its first line is damaged'];
        yield 'an odd length' => ["xhprof-run 1 63\n" . str_repeat(' ', 100), 'its first line is damaged'];
        yield 'a short length' => ["xhprof-run 1 16\n" . str_repeat(' ', 100), 'its first line is damaged'];
        yield 'a length behind the end' => ["xhprof-run 1 800\n{}", 'the file is cut off'];
        yield 'a large head' => [
            "xhprof-run 1 4194312\n" . str_repeat(' ', 5 << 20), 'its head is too large',
        ];
        yield 'no JSON' => [self::file('{"v":1,"sections":{}'), 'its head is not JSON'];
        yield 'a list' => [self::file('[{"v":1,"sections":{}}]'), 'its head is not JSON'];
        yield 'no UTF-8' => [self::file("{\"v\":1,\"a\":{\"b\":\"\xFF\"},\"sections\":{}}"), 'its head is not JSON'];
        yield 'many parts' => [self::file('{"a":{"b":[' . str_repeat('[],', 140000) . '0]}}'), 'its head has too many parts'];
        yield 'no sections' => [self::file('{"v":1,"a":{}}'), 'its head has no sections'];
        yield 'another version' => [self::file('{"v":2,"sections":{}}'), 'its head has no sections'];
        $many = array_map(static fn (int $i): string => "a.b$i", range(0, 1000));
        yield 'many sections' => [$of(array_fill_keys($many, $u8)), 'its head has no sections, or too many'];
        yield 'a text as a document' => [$of([], '', ['a' => 'b']), 'a document of its head has no name, or is not an object'];
        yield 'a document with a dot' => [$of([], '', ['a.b' => []]), 'a document of its head has no name'];
        yield 'a section without a document' => [$of(['b.c' => $u8]), 'a section is of no document'];
        yield 'a section with the name of a document' => [$of(['a' => $u8]), 'a section is of no document'];
        yield 'a section with an empty name' => [$of(['a.' => $u8]), 'a section is of no document'];
        yield 'a section of the version' => [$of(['v.a' => $u8]), 'a section is of no document'];
        $wrong = [
            'no object' => 5,
            'no type' => ['at' => 0, 'n' => 8],
            'another type' => ['type' => 'u64'] + $u8,
            'a type that is a list' => ['type' => []] + $u8,
            'no number' => ['type' => 'u8', 'at' => 0],
            'a negative number' => ['n' => -1] + $u8,
            'half a number' => ['n' => 1.5] + $u8,
            'too many' => ['n' => (1 << 31) + 1] + $u8,
            'no place' => ['type' => 'u8', 'n' => 8],
            'a negative place' => ['at' => -8] + $u8,
            'an odd place' => ['at' => 4, 'n' => 1] + $u8,
            'a place behind the end' => ['at' => 16, 'n' => 0] + $u8,
            'more than there are' => ['n' => 9] + $u8,
            'a place that overflows' => ['at' => PHP_INT_MAX - 7] + $u8,
            'wide values' => ['type' => 'f64', 'at' => 0, 'n' => 2],
            'no value' => ['type' => 'same', 'n' => 1],
            'half a value' => ['type' => 'same', 'value' => 0.5, 'n' => 1],
            'a large value' => ['type' => 'same', 'value' => (1 << 53) + 1, 'n' => 1],
            'no bytes of texts' => ['type' => 'text', 'at' => 0, 'n' => 1],
            'negative bytes of texts' => ['type' => 'text', 'at' => 0, 'n' => 1, 'bytes' => -1],
            'more texts than there are' => ['type' => 'text', 'at' => 0, 'n' => 1, 'bytes' => 9],
        ];
        foreach ($wrong as $name => $section) {
            yield "a section: $name" => [$of(['a.b' => $section]), 'its section a.b is damaged'];
        }
        $same = ['type' => 'same', 'value' => 0, 'n' => 1 << 31];
        yield 'equal values without end' => [$of(['a.b' => $same]), 'its sections are larger than the file'];
        yield 'sections that overlap' => [$of(['a.b' => $u8, 'a.c' => $u8]), 'its sections are larger than the file'];
        $text = ['type' => 'text', 'at' => 0, 'n' => 2, 'bytes' => 8];
        $end = static fn (int $value, int $n = 2): array => ['type' => 'same', 'value' => $value, 'n' => $n];
        yield 'texts without ends' => [$of(['a.b' => $text]), 'the texts of a.b have no ends'];
        yield 'fewer ends' => [$of(['a.b' => $text, 'a.b.end' => $end(1, 1)]), 'the texts of a.b have no ends'];
        yield 'texts as ends' => [
            $of(['a.b' => ['bytes' => 0] + $text, 'a.b.end' => ['bytes' => 0] + $text, 'a.b.end.end' => $end(0)]),
            'the texts of a.b have no ends',
        ];
        $disorder = 'the ends of the texts of a.b are not in order';
        yield 'ends behind the text' => [$of(['a.b' => $text, 'a.b.end' => $end(9)]), $disorder, 'a'];
        yield 'negative ends' => [$of(['a.b' => $text, 'a.b.end' => $end(-1)]), $disorder, 'a'];
        yield 'ends that descend' => [
            $of(['a.b' => $text, 'a.b.end' => ['type' => 'u8', 'at' => 8, 'n' => 2]], "12345678\x05\x03......"),
            $disorder, 'a',
        ];
        $half = $of(['a.b' => $text, 'a.b.end' => $end(8)], "\xC3       ");
        yield 'half a character' => [$half, 'a text of a.b is not UTF-8', 'a'];
        $f64 = ['a.b' => ['type' => 'f64', 'at' => 0, 'n' => 1]];
        foreach ([NAN, INF, -INF, 0.5, 9007199254740994.0, -9007199254740994.0] as $value) {
            yield "the number $value" => [$of($f64, pack('e', $value)), 'a value of a.b is not a whole number', 'a'];
        }
        $more = ['a' => ['b' => 'text']];
        yield 'a column within a text' => [$of(['a.b.c' => $u8], '12345678', $more), 'a.b.c is within another value', 'a'];
        yield 'a column in the place of a value' => [$of(['a.b' => $u8], '12345678', $more), 'a.b is there twice', 'a'];
    }

    #[DataProvider('damages')]
    public function testDamageIsNamed(string $bytes, string $message, ?string $document = null): void
    {
        try {
            $file = RunFile::fromBytes($bytes, 'folder/a.b.run');
            self::assertNotNull($document, 'The file was opened.');
            $file->document($document);
            self::fail('The document was read.');
        } catch (DamagedRun $e) {
            self::assertStringStartsWith('folder/a.b.run: ', $e->getMessage());
            self::assertStringContainsString($message, $e->getMessage());
        }
    }

    public function testAColumnIsWhatItIsAskedFor(): void
    {
        $file = RunFile::fromBytes(RunFileWriter::bytes(['a' => ['n' => [1, 2], 't' => ['x', 'y']]]), 'a');
        foreach (['column' => ['a.t', 'a.none', 'none.n', 'a'], 'texts' => ['a.n', 'a.none']] as $call => $names) {
            foreach ($names as $name) {
                try {
                    $file->$call($name);
                    self::fail("$call() found $name");
                } catch (DamagedRun $e) {
                    self::assertStringContainsString($name, $e->getMessage());
                }
            }
        }
    }

    /** Without this the files of a folder could stop a page that lists it, or fill the memory. */
    public function testMutatedFilesAreReadOrDamaged(): void
    {
        mt_srand(20251);
        $random = static fn (int $least, int $most): array => array_map(static fn (): int => mt_rand($least, $most), range(1, 40));
        $whole = RunFileWriter::bytes([
            'meta' => ['v' => 1, 'id' => 'a', 'totals' => ['wt' => 5], 'meta' => ['x' => [1, [2, ['y' => 'z']]]]],
            'tree' => [
                'n' => 40, 'names' => ['main()', 'f', 'größe', ''], 'fn' => $random(0, 3), 'ct' => array_fill(0, 40, 1),
                'self' => ['wt' => $random(0, 1 << 40)], 'mu' => $random(-70000, 70000),
            ],
            'samples' => ['t' => range(0, 600, 15), 'node' => range(0, 40)],
        ]);
        $length = self::length($whole);
        $digits = ['0', '9', '-', '2147483648', '9007199254740993', '1e9', '"', '{', '}', 'null', '"same"', '"text"', '"f64"'];
        memory_reset_peak_usage();
        $before = memory_get_usage();
        $read = 0;
        for ($i = 0; $i < 20000; $i++) {
            $bytes = $whole;
            for ($changes = mt_rand(1, 3); $changes > 0; $changes--) {
                $at = mt_rand(0, (mt_rand(0, 2) > 0 ? min($length, strlen($bytes)) : strlen($bytes)) - 1);
                $bytes = match (mt_rand(0, 5)) {
                    0 => substr_replace($bytes, chr(mt_rand(0, 255)), $at, 1),
                    1 => substr_replace($bytes, $digits[array_rand($digits)], $at, mt_rand(0, 6)),
                    2 => substr($bytes, 0, max(1, $at)),
                    3 => substr_replace($bytes, substr($bytes, mt_rand(0, strlen($bytes) - 1), mt_rand(1, 40)), $at, mt_rand(0, 9)),
                    4 => self::changedNumber($bytes),
                    default => self::file(substr($bytes, (int) strpos($bytes, "\n") + 1, $at), substr($whole, $length)),
                };
            }
            try {
                $file = RunFile::fromBytes($bytes, 'a');
                foreach ($file->documents() as $document) {
                    $file->document($document);
                }
                foreach ($file->part($file->documents()) as $piece) {
                    $read += strlen($piece) > 0 ? 1 : 0;
                }
            } catch (DamagedRun $e) {
                self::assertStringStartsWith('a: ', $e->getMessage());
            }
        }
        self::assertGreaterThan(2000, $read, 'Many are read.');
        self::assertLessThan($before + (64 << 20), memory_get_peak_usage());
    }

    /** One of the head's numbers, which is where a reader could be led astray. */
    private static function changedNumber(string $bytes): string
    {
        preg_match_all('/(?<=:)[0-9]+/', $bytes, $numbers, PREG_OFFSET_CAPTURE);
        $values = [0, 1, 7, 8, 16, 64, 65536, 1 << 20, 1 << 31, PHP_INT_MAX, mt_rand(0, 2000)];
        $number = $numbers[0][array_rand($numbers[0] ?: [0])] ?? ['', 0];

        return substr_replace($bytes, (string) $values[array_rand($values)], $number[1], strlen($number[0]));
    }

    private static function file(string $json, string $bytes = ''): string
    {
        $length = intdiv(strlen($json) + 40, 8) * 8;

        return str_pad("xhprof-run 1 $length\n$json", $length - 1) . "\n" . $bytes;
    }

    /** @return array<mixed> */
    private static function head(string $bytes): array
    {
        $head = json_decode(substr($bytes, (int) strpos($bytes, "\n"), self::length($bytes) - (int) strpos($bytes, "\n")), true);
        self::assertIsArray($head);

        return $head;
    }

    private static function length(string $bytes): int
    {
        return (int) substr($bytes, strlen('xhprof-run 1 '));
    }
}

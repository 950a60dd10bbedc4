<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RunInSeparateProcess;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\Import\ImportDeadline;
use XHProf\Import\ImportResult;
use XHProf\Import\ImportedRun;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Import\SkippedLines;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ImportFixtures as Fixtures;
use XHProf\Tests\Lib\Support\ImportedFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ImportFixtures.php';
require_once __DIR__ . '/Support/ImportedFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * Files as their writers leave them: in other encodings, with comments and odd lines, cut short. What can be read is read, and what
 * was left out is said.
 */
final class ImportLinesTest extends TestCase
{
    use ImportedFiles;
    use TemporaryFolder;

    private const FOLDED = "main();x 5\nmain();\u{E9}\u{1F600} 3\n";

    /** @return iterable<string, array{string, int}> bytes, samples */
    public static function foldedFiles(): iterable
    {
        yield 'a mark' => ["\xEF\xBB\xBF" . self::FOLDED, 8];
        foreach (['UTF-16LE' => "\xFF\xFE", 'UTF-16BE' => "\xFE\xFF"] as $encoding => $mark) {
            $text = mb_convert_encoding(self::FOLDED, $encoding, 'UTF-8');
            yield "$encoding with a mark" => [$mark . $text, 8];
            yield "$encoding without a mark" => [$text, 8];
            yield "$encoding, gzipped" => [(string) gzencode($mark . $text), 8];
        }
        yield 'lines of Windows' => [str_replace("\n", "\r\n", self::FOLDED), 8];
        yield 'no last line break' => [rtrim(self::FOLDED), 8];
        yield 'a tab before the number' => ["main();x\t5\nmain();y \t 3\n", 8];
        yield 'spaces at the end' => ["main();x 5  \nmain();y 3\t\n", 8];
        yield 'comments' => ["# made by a tool\n#\nmain();x 5\n# 7 of 9\nmain();y 3\n", 8];
        yield 'empty lines' => ["\n\r\n  \nmain();x 5\n\nmain();y 3\n\n", 8];
        yield 'an empty first frame' => [";a;b 3\n;a 1\nmain();c 4\n", 8];
        yield 'an empty frame' => ["a;;b 5\na;b; 3\n", 8];
        yield 'frames that are numbers' => ["1;22;333 5\n0 3\n", 8];
        yield 'numbers of other programs' => ["a 5.\nb 3e0\n", 8];
        yield 'names in brackets' => ["<main>;x 5\n[unknown];{main};<y> 3\n", 8];
        yield 'an exponent' => ["a 0.5e1\nb 1.5e+0\nb 1.5\n", 8];
        yield 'an exponent in the first line of one with parts' => ["a;b 0.5e1\nb;c 300e-2\n", 8];
        yield 'fractions' => [implode('', array_map(static fn (int $i): string => "main();f$i 0.008\n", range(1, 1000))), 8];
        yield 'a first line that is longer than what is looked at' => [
            'main();' . str_repeat('a', InputFile::HEAD) . ";b 5\nx 3\n",
            8,
        ];
        yield 'the longest first line alone' => ['main();' . str_repeat('a', InputFile::HEAD) . ';b 8', 8];
        yield 'a longest first line in UTF-16' => [
            "\xFF\xFE" . mb_convert_encoding('main();' . str_repeat('a', InputFile::HEAD) . ";b 5\nx 3\n", 'UTF-16LE'),
            8,
        ];
        yield 'a long first line' => ['main();' . str_repeat('aaaaaaaaaaaaaaaaaaaaaaaaa;', 400) . "b 5\nx 3\n", 8];
    }

    #[DataProvider('foldedFiles')]
    public function testFoldedStacksAreReadAsTheyAreWritten(string $bytes, int $samples): void
    {
        $run = $this->run1($bytes);
        self::assertSame('folded', Readers::for(InputFile::at("$this->folder/input"))::NAME);
        self::assertSame($samples, $run->profile->totals()['samples']);
        self::assertSame($samples, array_sum($run->tree->self['samples'] ?? []));
        self::assertSame([], $run->notes);
        self::assertSame('main()', $run->tree?->names[0]);
    }

    public function testANumberThatIsTooLargeIsSkippedAndNamedWhereverItIs(): void
    {
        foreach (["a;b 1000000000000000\nb;c 3\n", "b;c 3\na;b 9223372036854775807\n", "a;b 1e16\nb;c 3\n"] as $bytes) {
            $run = $this->run1($bytes);
            self::assertSame('folded', Readers::for(InputFile::at("$this->folder/input"))::NAME);
            self::assertSame(3, $run->profile->totals()['samples']);
            self::assertStringContainsString('a;b ', implode($run->notes));
        }
    }

    public function testNamesOfOtherEncodingsAreTheSame(): void
    {
        foreach (['UTF-16LE', 'UTF-16BE', 'UTF-8'] as $encoding) {
            $names = $this->run1(mb_convert_encoding(self::FOLDED, $encoding))->tree?->names;
            self::assertSame(['main()', 'x', "\u{E9}\u{1F600}"], $names);
        }
    }

    public function testCharactersAreNotCutWhereThePiecesOfAFileEnd(): void
    {
        $text = '';
        for ($i = 0; $i < 60000; $i++) {
            $text .= "\u{1F600}f" . $i % 7 . " 1\n";
        }
        foreach (['', 'x'] as $shift) {
            $tree = $this->run1("\xFF\xFE" . mb_convert_encoding("a$shift;$text", 'UTF-16LE', 'UTF-8'))->tree;
            self::assertSame(60000, array_sum($tree->self['samples'] ?? []));
            self::assertCount(9, $tree->names ?? []);
        }
    }

    public function testAnOddLineIsSkippedCountedAndNamed(): void
    {
        $long = 'x' . str_repeat('y', 100);
        $run = $this->run1("a;b 1\nc;d\n$long\ne;f 2\nre\xFFd\nno\nmore\n");
        self::assertSame(3, $run->profile->totals()['samples']);
        self::assertSame(['5 lines were skipped: line 2 ("c;d"), line 3 ("x' . str_repeat('y', 39) . '..."), line 5 ("re\xFFd")'
            . ' and 2 more'], $run->notes);
        $run = $this->run1("events: Ir\nfn=a\n1 5\nhello world\n1 7x\n1 2\n");
        self::assertSame(7, $run->profile->totals()['Ir']);
        self::assertSame(['2 lines were skipped: line 4 ("hello world"), line 5 ("1 7x")'], $run->notes);
    }

    public function testWhatWasLeftOutIsKeptWithTheRun(): void
    {
        $store = new RunFolder($this->folder);
        file_put_contents("$this->folder/input", "a;b 1\nc;d\n");
        $outcomes = $this->outcomes($store);
        self::assertCount(1, $outcomes);
        self::assertSame(['1 line was skipped: line 2 ("c;d")'], $outcomes[0]->notes);
        self::assertNotNull($outcomes[0]->id);
        self::assertSame($outcomes[0]->notes[0], $store->open($outcomes[0]->id)->meta()->meta[Importer::NOTES]);
    }

    public function testAFileOfNothingButOddLinesIsRefused(): void
    {
        $this->expectExceptionMessage('no line is a stack with a number at its end: line 1 ("hello"), line 2 ("world")');
        file_put_contents("$this->folder/input", "hello\nworld\n");
        $file = InputFile::at("$this->folder/input");
        iterator_to_array((static fn () => yield from Readers::for($file, 'folded')->read($file))());
    }

    /** @return iterable<string, array{string, string}> bytes, what is said */
    public static function cutFiles(): iterable
    {
        $xdebug = Fixtures::bytes('xdebug.cachegrind');
        $half = substr($xdebug, 0, (int) strpos($xdebug, "\n\nfl=", 900) + 1);
        yield 'no sum of Xdebug' => [$half, 'the file was cut short: it has no "summary:" line'];
        yield 'within a number' => ["$half\nfl=(1)\nfn=(2)\n3 4", 'line 4'];
        $threads = Fixtures::bytes('threads.callgrind');
        yield 'less than the sum at the beginning' => [
            substr($threads, 0, (int) strpos($threads, 'fn=(4)')),
            'its costs add up to 1430, its "summary:" line says 1930',
        ];
        yield 'no totals of callgrind' => [
            str_replace("summary: 1930\n", '', substr($threads, 0, (int) strpos($threads, 'totals:'))),
            'it has no "totals:" line',
        ];
        $memprof = Fixtures::bytes('memprof.callgrind');
        yield 'no total of memprof' => [substr($memprof, 0, (int) strpos($memprof, 'total:')), 'it has no "totals:" line'];
        $trace = Fixtures::bytes('xdebug.xt');
        yield 'a trace' => [substr($trace, 0, 900), 'the trace was cut short: it has no "TRACE END" line'];
        $spx = Fixtures::bytes('spx.txt');
        yield 'an SPX report' => [substr($spx, 0, (int) strpos($spx, '[functions]')), 'it has no names of functions'];
        $gzip = (string) gzencode(self::FOLDED . str_repeat("a;b 1\n", 1000) . bin2hex(random_bytes(5000)) . " 1\n");
        yield 'a gzip stream' => [substr($gzip, 0, -4000), 'the gzip stream has no end: the file was cut short'];
        yield 'a gzip stream, without its last byte' => [
            substr($gzip, 0, -1),
            'the gzip stream has no end: the file was cut short',
        ];
        yield 'bytes after a gzip stream' => ["{$gzip}more", 'bytes after the end of the gzip stream were left out'];
        yield 'one byte after it' => ["{$gzip}x", 'bytes after the end of the gzip stream were left out'];
        $proto = (string) gzdecode(Fixtures::goPprof());
        yield 'a pprof file' => [(string) gzencode(substr($proto, 0, -4)), 'the file was cut short within a field'];
        $noNames = substr($proto, 0, (int) strpos($proto, 'main.go'));
        yield 'a pprof file, before names' => [$noNames, 'the file was cut short'];
        yield 'a pprof file, between two names' => [substr($noNames, 0, -2), 'the file was cut short before its last names'];
        yield 'memprof pprof, between records' => [substr(Fixtures::memprofPprof(), 0, -24), 'cut short before its last record'];
        yield 'a line of Blackfire' => [substr(Fixtures::bytes('twig.blackfire'), 0, -3), '1 line was skipped'];
        $call = "events: Ir\nfn=a\n1 5\ncfn=b\ncalls=1 3";
        yield 'a call without costs' => [$call, 'the file was cut short: its last call has no costs'];
        yield 'memprof pprof' => [substr(Fixtures::memprofPprof(), 0, -30), 'the file was cut short within a record'];
    }

    #[DataProvider('cutFiles')]
    public function testAFileThatWasCutShortSaysSo(string $bytes, string $note): void
    {
        file_put_contents("$this->folder/input", $bytes);
        $outcomes = $this->outcomes(new RunFolder($this->folder));
        self::assertNotNull($outcomes[0]->id, 'what is there is read');
        $notes = implode('; ', $outcomes[0]->notes);
        self::assertStringContainsString($note === 'line 4' ? '("3 4")' : $note, $notes);
    }

    public function testWholeFilesSayNothing(): void
    {
        file_put_contents("$this->folder/spx.txt.gz", gzencode(Fixtures::bytes('spx.txt')));
        foreach (glob(__DIR__ . '/imports/*') ?: [] as $path) {
            $name = basename($path) === 'spx.txt' ? 'spx.txt.gz' : basename($path);
            file_put_contents("$this->folder/$name", gzencode((string) file_get_contents($path)) . str_repeat("\0", 600));
            $file = InputFile::at("$this->folder/$name");
            foreach (Readers::for($file)->read($file) as $run) {
                self::assertInstanceOf(ImportedRun::class, $run);
                self::assertSame([], [...$run->notes, ...$file->notes()], $name);
            }
        }
    }

    public function testAGzipStreamMayHaveSeveralParts(): void
    {
        $text = str_repeat("main();x 1\n", 5000);
        $run = $this->run1(gzencode($text) . gzencode($text) . gzencode("main();y 2\n"));
        self::assertSame(10002, $run->profile->totals()['samples']);
    }

    public function testRecordsBeforeTheEndOfACutFileAreSaved(): void
    {
        $lines = '';
        for ($i = 0; $i < 3; $i++) {
            $lines .= json_encode(['profile' => Runs::small(), 'meta' => ['x' => bin2hex(random_bytes(9000))]]) . "\n";
        }
        file_put_contents("$this->folder/input", substr((string) gzencode($lines), 0, -9000));
        $outcomes = $this->outcomes(new RunFolder($this->folder));
        self::assertNotNull($outcomes[0]->id);
        $last = end($outcomes);
        self::assertInstanceOf(ImportResult::class, $last);
        self::assertSame('the gzip stream has no end: the file was cut short', $last->error);
        file_put_contents("$this->folder/input", substr((string) gzencode(serialize(Runs::small())), 0, -9));
        $this->expectExceptionMessage('the gzip stream has no end: the file was cut short (not serialized data, or cut off)');
        $this->outcomes(new RunFolder($this->folder));
    }

    public function testNegativeNumbersAreMemoryThatWasGivenBack(): void
    {
        file_put_contents("$this->folder/input", "a;b -3\na;c 5\n");
        $file = InputFile::at("$this->folder/input");
        self::assertSame('folded', Readers::for($file)::NAME);
        foreach (['bytes' => [2, 0], 'samples' => [5, 1], 'ns' => [0, 1]] as $unit => [$total, $notes]) {
            foreach (Readers::for($file, 'folded', $unit)->read($file) as $run) {
                self::assertInstanceOf(ImportedRun::class, $run);
                self::assertSame($total, array_values($run->profile->totals())[1] ?? 0);
                self::assertCount($notes, $run->notes);
            }
        }
    }

    public function testAFileHasABoundInBytesAndInTime(): void
    {
        $deflate = deflate_init(ZLIB_ENCODING_GZIP, ['level' => 9]);
        self::assertNotFalse($deflate);
        $packed = '';
        for ($i = 0; $i < 40; $i++) {
            $lines = str_repeat('main();' . str_repeat('x', 990) . " 1\n", 1000);
            $packed .= deflate_add($deflate, $lines, $i < 39 ? ZLIB_NO_FLUSH : ZLIB_FINISH);
        }
        file_put_contents("$this->folder/input", $packed);
        self::assertLessThan(200000, strlen($packed));
        self::assertSame('the file is larger than 10 MB', self::refusal(new InputFile("$this->folder/input", 'x', 10 << 20)));
        self::assertNull(self::refusal(new InputFile("$this->folder/input", 'x')));
        // A clock that advances with each look: the file is given up after some pieces of it, not at its end.
        $now = 0;
        $deadline = new ImportDeadline(5, static function () use (&$now): float {
            return (float) $now++;
        });
        self::assertStringStartsWith(
            'it takes longer than 5 seconds; bin/xhprof import',
            (string) self::refusal(new InputFile("$this->folder/input", 'x', InputFile::MAX_STREAMED, $deadline)),
        );
        self::assertSame(7, $now);
    }

    /** The memory of a process that has run other tests may be over the limit already, which cannot be set then. */
    #[RunInSeparateProcess]
    public function testWhatUnpacksToMoreThanTheMemoryIsRefused(): void
    {
        $limit = (string) ini_get('memory_limit');
        $files = [
            '[' . str_repeat('{"profile":{}},', 400000) . '1]',
            '{"profile":{},"x":[' . str_repeat('[0],', 1500000) . "0]}\n{}\n",
            'a:400001:{s:2:"ab";a:0:{}' . str_repeat('i:1;a:1:{i:0;i:0;}', 400000) . '}',
            'a:1:{s:7:"profile";a:400000:{' . str_repeat('i:1;a:0:{}', 600000) . '}}',
        ];
        self::assertNotFalse(ini_set('memory_limit', (string) (memory_get_usage() + (60 << 20))));
        try {
            foreach ($files as $bytes) {
                file_put_contents("$this->folder/input", $bytes);
                $file = InputFile::at("$this->folder/input");
                $why = '';
                try {
                    foreach (Readers::for($file)->read($file) as $run) {
                        if ($run instanceof InvalidProfile && !str_contains($why, $run->getMessage())) {
                            $why .= $run->getMessage();
                        }
                    }
                } catch (InvalidProfile $e) {
                    $why = $e->getMessage();
                }
                self::assertStringContainsString("too large for PHP's memory_limit", $why, substr($bytes, 0, 20));
            }
        } finally {
            ini_set('memory_limit', $limit);
        }
        file_put_contents("$this->folder/input", "\x0A\x04\x08\x01\x10\x02" . str_repeat("\x12\0", 2000001));
        self::assertSame('the file has too many samples and names', self::refusal(InputFile::at("$this->folder/input")));
    }

    public function testAFolderIsSaidToBeOne(): void
    {
        $this->expectException(StoreError::class);
        $this->expectExceptionMessage('is a folder, not a file');
        InputFile::at($this->folder)->head();
    }

    public function testALineThatIsTooLongIsSkipped(): void
    {
        $skipped = new SkippedLines();
        file_put_contents("$this->folder/input", "a 1\n" . str_repeat('x', 1 << 20) . "\nb 2\n" . str_repeat('y', 300));
        $lines = [];
        foreach (InputFile::at("$this->folder/input")->lines(100, $skipped) as $number => $line) {
            $lines[$number] = $line;
        }
        self::assertSame([1 => 'a 1', 3 => 'b 2'], $lines);
        self::assertSame(2, $skipped->count());
        self::assertStringContainsString('line 2 (too long: "xxx', $skipped->examples());
    }

    public function testManyCallsOfOneFunctionHaveCallPaths(): void
    {
        $text = "version: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns)\n\n";
        $text .= str_repeat("fl=x\nfn=leaf\n1 5\n\n", 30000) . "fl=x\nfn={main}\n1 100\n";
        $run = $this->run1($text . str_repeat("cfn=leaf\ncalls=1 0 0\n1 5\n", 30000) . "\nsummary: 150100\n");
        self::assertSame([1, 30000], $run->tree?->ct);
        self::assertSame([1000, 1500000], $run->tree->self['wt']);
    }

    private static function refusal(InputFile $file): ?string
    {
        try {
            foreach (Readers::for($file)->read($file) as $_) {
                continue;
            }
        } catch (InvalidProfile $e) {
            return $e->getMessage();
        }

        return null;
    }
}

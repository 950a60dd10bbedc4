<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Run\ClassicFile;
use XHProf\Run\RunFileWriter;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tests\Lib\Support\Victim;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once __DIR__ . '/Support/Victim.php';

/**
 * Damaged files, and malicious ones.
 */
final class DamagedRunTest extends TestCase
{
    use TemporaryFolder;

    private const TREE = [
        'names' => ['main()', 'f'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 2], 'self' => ['wt' => [3000, 2000]],
    ];

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function files(): iterable
    {
        $good = serialize(Runs::small());
        yield 'empty' => ['', 'empty'];
        yield 'cut off' => [substr($good, 0, -10), 'cut off'];
        yield 'half' => [substr($good, 0, intdiv(strlen($good), 2)), 'cut off'];
        yield 'text' => ['hello', 'cut off'];
        yield 'JSON' => [(string) json_encode(Runs::small()), 'cut off'];
        yield 'zeros' => [str_repeat("\0", 4096), 'cut off'];
        yield 'false' => ['b:0;', 'cut off'];
        yield 'null' => ['N;', 'null'];
        yield 'a string' => [serialize('x'), 'string'];
        yield 'no calls' => ['a:0:{}', 'no calls'];
        yield 'an object' => ['O:8:"stdClass":0:{}', 'not an array'];
        yield 'an object as a row' => ['a:1:{s:6:"main()";O:8:"stdClass":1:{s:2:"ct";i:1;}}', 'not an array'];
        yield 'an object as a figure' => ['a:1:{s:6:"main()";a:1:{s:2:"ct";O:8:"stdClass":0:{}}}', 'for the metric "ct"'];
        yield 'an enum' => ['a:1:{s:6:"main()";a:1:{s:2:"ct";E:11:"Suit:Hearts";}}', 'cut off'];
        yield 'a custom object' => ['a:1:{s:6:"main()";C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}}', 'not an array'];
        yield 'itself' => ['a:1:{s:6:"main()";a:1:{s:2:"ct";R:1;}}', 'for the metric "ct"'];
        yield 'a promise of billions' => ['a:2000000000:{', 'cut off'];
        yield 'a long string' => ['a:1:{s:2000000000:"main()', 'cut off'];
        yield 'deep' => [str_repeat('a:1:{i:0;', 50000) . 'i:1;' . str_repeat('}', 50000), 'cut off'];
        yield 'text figures' => ['a:1:{s:6:"main()";a:1:{s:2:"ct";s:1:"x";}}', 'for the metric "ct"'];
        yield 'overflowing figures' => ['a:1:{s:6:"main()";a:1:{s:2:"wt";i:9223372036854775807;}}', 'too large'];
        yield 'endless figures' => ['a:1:{s:6:"main()";a:1:{s:2:"wt";d:INF;}}', 'INF'];
    }

    #[DataProvider('files')]
    public function testIsAClearErrorAndTheOthersStillList(string $bytes, string $why): void
    {
        $store = new RunFolder($this->folder);
        $good = $store->save(Runs::small(), 'x', 'good');
        $file = "$this->folder/" . RunFiles::classicFile('bad.x');
        file_put_contents($file, $bytes);
        try {
            $store->open(RunId::fromStrings('bad', 'x'))->profile();
            self::fail('loaded');
        } catch (DamagedRun $e) {
            self::assertStringStartsWith("$file: ", $e->getMessage());
            self::assertStringContainsString($why, $e->getMessage());
            self::assertStringNotContainsString("\n", $e->getMessage());
        }
        self::assertCount(2, $store->list());
        self::assertSame(1000, $store->open($good)->profile()->totals()['wt']);
    }

    public function testNoObjectIsEverMade(): void
    {
        Victim::$woken = false;
        $name = Victim::class;
        $object = 'O:' . strlen($name) . ':"' . $name . '":0:{}';
        $files = [$object, "a:1:{s:6:\"main()\";$object}", "a:2:{s:6:\"main()\";a:1:{s:2:\"ct\";i:1;}s:1:\"f\";$object}"];
        foreach ($files as $bytes) {
            try {
                ClassicFile::decode($bytes, 'x');
                self::fail('loaded');
            } catch (DamagedRun) {
                self::assertFalse(Victim::$woken);
            }
        }
        // Without the guard the same bytes do wake an object: the test can fail.
        unserialize($object);
        self::assertTrue(Victim::$woken);
    }

    public function testAnErrorHandlerOfTheProgramSeesNothing(): void
    {
        $seen = [];
        set_error_handler(static function (int $level, string $message) use (&$seen): bool {
            $seen[] = $message;

            return true;
        });
        try {
            ClassicFile::decode('a:1:{s:6:"main()";', 'x');
        } catch (DamagedRun) {
        } finally {
            restore_error_handler();
        }
        self::assertSame([], $seen);
    }

    public function testReferencesInAFileAreHarmless(): void
    {
        $bytes = 'a:2:{s:6:"main()";a:2:{s:2:"ct";i:1;s:2:"wt";i:7;}s:10:"main()==>f";R:2;}';
        $profile = ClassicFile::decode($bytes, 'x');
        $edges = $profile->edges();
        $edges['main()==>f']['wt'] = 99;
        self::assertSame(7, $edges['main()']['wt']);
        self::assertSame(7, $profile->edges()['main()==>f']['wt']);
    }

    /** Whatever is wrong with the head or a column, the message names the file, and other runs are listed. */
    public function testADamagedRunFile(): void
    {
        $store = new RunFolder($this->folder);
        $good = $store->save(Runs::small(), 'x', 'good');
        $whole = RunFileWriter::bytes(['meta' => ['v' => 1, 'ts' => 1e9], 'tree' => self::TREE]);
        $head = static fn (string $json): string => RunFiles::withHead($whole, static fn (): string => $json);
        $tree = static fn (array $other): string => RunFileWriter::bytes(['tree' => $other + self::TREE]);
        $files = [
            'the file is empty' => '',
            'not a run file' => 'a:1:{s:6:"main()";a:1:{s:2:"ct";i:1;}}',
            'written by a newer XHProf (format 2)' => str_replace('xhprof-run 1', 'xhprof-run 2', $whole),
            'the file is cut off' => substr($whole, 0, 100),
            'its head is not JSON' => $head('{"v":1,"meta":{"ts":'),
            'its head has no sections' => $head('{"v":1}'),
            'is damaged' => substr($whole, 0, -8),
            'a node of the call tree has no name' => $tree(['fn' => [0, 2]]),
            'no parent' => $tree(['depth' => [0, 2]]),
            'are not equally long' => $tree(['ct' => [1]]),
            'the run has no list of names' => RunFileWriter::bytes(['meta' => ['v' => 1]]),
        ];
        $path = RunFiles::path($this->folder, 'bad.x');
        foreach ($files as $why => $bytes) {
            file_put_contents($path, $bytes);
            try {
                $store->open(RunId::fromStrings('bad', 'x'))->profile()->edges();
                self::fail("loaded: $why");
            } catch (DamagedRun $e) {
                self::assertStringStartsWith("$path: ", $e->getMessage());
                self::assertStringContainsString($why, $e->getMessage());
            }
            self::assertCount(2, $store->list());
            self::assertSame(1000, $store->open($good)->profile()->totals()['wt']);
        }
    }

    public function testDamagedMetadata(): void
    {
        $store = new RunFolder($this->folder);
        foreach (['', '{', '[1', '"x"', 'null', str_repeat('[', 200)] as $i => $json) {
            $id = $store->save(Runs::small(), 'x', "r$i");
            RunFiles::damage($this->folder, $id, 'meta', $json);
            foreach (['meta', 'profile', 'tree'] as $read) {
                try {
                    $store->open($id)->$read();
                    self::fail("accepted $json");
                } catch (DamagedRun $e) {
                    self::assertStringStartsWith(RunFiles::path($this->folder, $id) . ': ', $e->getMessage());
                }
            }
        }
        $list = $store->list();
        self::assertCount(6, $list);
        foreach ($list as $run) {
            self::assertStringContainsString(RunFiles::file($run->id) . ': ', (string) $run->error);
            self::assertSame($run->id->id, $run->title);
        }
    }

    public function testMetadataOfWrongTypesIsLeftOut(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(Runs::small(), 'x');
        RunFiles::put($this->folder, $id, ['meta' => [
            'ts' => 'now', 'command' => ['a'], 'url' => 5, 'calls' => 1.5, 'zts' => 'yes', 'flag_names' => [1, 'CPU', null],
            'totals' => ['wt' => 'x', 'cpu' => 7], 'clock' => 'tsc', 'meta' => 'x', 'host' => 'h',
        ]]);
        $meta = $store->open($id)->meta();
        $left = ['v' => 1, 'host' => 'h', 'flag_names' => ['CPU'], 'totals' => ['cpu' => 7]];
        $time = (float) filemtime(RunFiles::path($this->folder, $id));
        self::assertEquals($left + ['id' => $id->id, 'source' => 'x', 'ts' => $time], $meta->toArray());
        self::assertSame([null, $time], [$store->list()[0]->error, $store->list()[0]->time], 'else the time of the file');
    }

    public function testATimeThatIsNoDateIsLeftOut(): void
    {
        foreach ([INF, -INF, NAN, 0, -1, 253402300800, 1e300] as $ts) {
            self::assertNull(RunMeta::fromArray(['ts' => $ts])->ts, (string) $ts);
        }
        self::assertSame(253402300799.0, RunMeta::fromArray(['ts' => 253402300799])->ts);
    }

    public function testEndlessNumbersInMetadataAreNull(): void
    {
        $id = (new RunFolder($this->folder))->save(Runs::small(), 'x');
        RunFiles::damage($this->folder, $id, 'meta', '{"meta":{"a":1e999,"b":[-1e999,1.5,"x"]}}');
        $meta = (new RunFolder($this->folder))->open($id)->meta();
        self::assertSame(['a' => null, 'b' => [null, 1.5, 'x']], $meta->meta);
        self::assertIsString(json_encode($meta->toArray()));
    }

    public function testHugeMetadataIsNotRead(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(Runs::small(), 'x');
        RunFiles::damage($this->folder, $id, 'meta', '{"command":"' . str_repeat('x', 4 << 20) . '"}');
        self::assertStringContainsString('too large', (string) $store->list()[0]->error);
    }

    public function testAnEmptyRunIsListedWithItsError(): void
    {
        $file = RunFiles::path($this->folder, 'a.x');
        touch($file);
        self::assertSame("$file: the file is empty", (new RunFolder($this->folder))->list()[0]->error);
    }

    public function testLinksAreNotFollowed(): void
    {
        $outside = "$this->folder/outside";
        $inside = "$this->folder/inside";
        mkdir($outside);
        mkdir($inside);
        file_put_contents("$outside/secret", RunFileWriter::bytes(['tree' => self::TREE]));
        RunFiles::write($inside, 'real.x', ['meta' => ['ts' => 1e9], 'tree' => self::TREE]);
        link("$outside/secret", RunFiles::path($inside, 'second.x'));
        symlink("$outside/secret", RunFiles::path($inside, 'link.x'));
        symlink("$inside/none", RunFiles::path($inside, 'dangling.x'));
        symlink(RunFiles::file('real.x'), RunFiles::path($inside, 'alias.x'));
        symlink("$outside/secret", "$inside/" . RunFiles::classicFile('classic.x'));
        $store = new RunFolder($inside);
        self::assertSame(2, $store->open(RunId::fromStrings('real', 'x'))->tree()?->count());
        $links = ['alias', 'classic', 'dangling', 'link', 'second'];
        foreach ($links as $id) { // alias: not within the folder either
            self::assertFalse($store->has(RunId::fromStrings($id, 'x')), $id);
        }
        $errors = [];
        foreach ($store->list() as $run) {
            $errors[$run->id->id] = $run->error !== null;
        }
        ksort($errors);
        $expected = array_fill_keys($links, true) + ['real' => false];
        ksort($expected);
        self::assertSame($expected, $errors);
        $this->expectException(RunNotFound::class);
        $store->open(RunId::fromStrings('link', 'x'))->profile();
    }

    public function testWritingThroughALinkReplacesTheLink(): void
    {
        file_put_contents("$this->folder/victim", 'precious');
        symlink("$this->folder/victim", RunFiles::path($this->folder, 'a.x'));
        (new RunFolder($this->folder))->save(Runs::small(), 'x', 'a');
        self::assertSame('precious', file_get_contents("$this->folder/victim"));
        self::assertFalse(is_link(RunFiles::path($this->folder, 'a.x')));
    }

    public function testAGiantIsNotRead(): void
    {
        $id = RunId::fromStrings('giant', 'web');
        $store = new RunFolder($this->folder);
        $giant = fopen("$this->folder/" . RunFiles::classicFile($id), 'wb');
        self::assertIsResource($giant);
        // A sparse file: it takes no room on the disk.
        ftruncate($giant, 6 << 30);
        fclose($giant);
        try {
            $store->open($id)->profile();
            self::fail('six gigabytes were read');
        } catch (DamagedRun | StoreError $e) {
            self::assertStringContainsString(RunFiles::classicFile($id), $e->getMessage());
            self::assertStringContainsString('too large for a file of a run', $e->getMessage());
        }
        $run = $store->save(CallTree::fromArray(self::TREE)->toEdges(), 'web', 'large', [], CallTree::fromArray(self::TREE));
        RunFiles::enlarge($this->folder, $run, 'tree.fn', (1 << 31) - 8);
        foreach (['profile', 'tree'] as $read) {
            try {
                $store->open($run)->$read();
                self::fail('two billion numbers were read');
            } catch (DamagedRun | StoreError $e) {
                self::assertStringContainsString(RunFiles::file($run), $e->getMessage());
            }
        }
        self::assertSame(['main()', 'f'], $store->open($run)->treeNames(), 'names are read without the nodes');
        self::assertSame(['main()', 'f'], $store->open($run)->treeHead()?->names);
        $errors = array_map(static fn (RunEntry $summary): ?string => $summary->error, $store->list());
        self::assertSame([null, null], $errors, 'a list reads heads only');
    }

    public function testAPipeDoesNotBlock(): void
    {
        self::assertTrue(posix_mkfifo(RunFiles::path($this->folder, 'a.x'), 0600));
        $store = new RunFolder($this->folder);
        self::assertStringContainsString('not a regular file', (string) $store->list()[0]->error);
        $this->expectException(RunNotFound::class);
        $store->open(RunId::fromStrings('a', 'x'))->profile();
    }

    public function testAFileFromAnywhere(): void
    {
        file_put_contents("$this->folder/run", serialize(Runs::small()));
        self::assertSame(1000, RunFolder::openFile("$this->folder/run")->profile()->totals()['wt']);
        $this->expectException(StoreError::class);
        $this->expectExceptionMessage("$this->folder/none does not exist");
        RunFolder::openFile("$this->folder/none");
    }
}

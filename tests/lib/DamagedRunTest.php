<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Store\RunFile;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunStore;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tests\Lib\Support\Victim;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once __DIR__ . '/Support/Victim.php';

/**
 * Damaged files, and malicious ones.
 */
final class DamagedRunTest extends TestCase
{
    use TemporaryFolder;

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
        $store = new RunStore($this->folder);
        $good = $store->save(Runs::small(), 'x', 'good');
        file_put_contents("$this->folder/bad.x.xhprof", $bytes);
        try {
            $store->load(RunId::fromStrings('bad', 'x'));
            self::fail('loaded');
        } catch (DamagedRun $e) {
            self::assertStringStartsWith("$this->folder/bad.x.xhprof: ", $e->getMessage());
            self::assertStringContainsString($why, $e->getMessage());
            self::assertStringNotContainsString("\n", $e->getMessage());
        }
        self::assertCount(2, $store->list());
        self::assertSame(1000, $store->load($good)->totals()['wt']);
    }

    public function testNoObjectIsEverMade(): void
    {
        Victim::$woken = false;
        $name = Victim::class;
        $object = 'O:' . strlen($name) . ':"' . $name . '":0:{}';
        $files = [$object, "a:1:{s:6:\"main()\";$object}", "a:2:{s:6:\"main()\";a:1:{s:2:\"ct\";i:1;}s:1:\"f\";$object}"];
        foreach ($files as $bytes) {
            try {
                RunFile::decode($bytes, 'x');
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
            RunFile::decode('a:1:{s:6:"main()";', 'x');
        } catch (DamagedRun) {
        } finally {
            restore_error_handler();
        }
        self::assertSame([], $seen);
    }

    public function testReferencesInAFileAreHarmless(): void
    {
        $bytes = 'a:2:{s:6:"main()";a:2:{s:2:"ct";i:1;s:2:"wt";i:7;}s:10:"main()==>f";R:2;}';
        $profile = RunFile::decode($bytes, 'x');
        $edges = $profile->edges();
        $edges['main()==>f']['wt'] = 99;
        self::assertSame(7, $edges['main()']['wt']);
        self::assertSame(7, $profile->edges()['main()==>f']['wt']);
    }

    public function testDamagedMetadata(): void
    {
        $store = new RunStore($this->folder);
        foreach (['', '{', '[1]', '"x"', 'null', str_repeat('[', 200)] as $i => $json) {
            $id = $store->save(Runs::small(), 'x', "r$i");
            file_put_contents("$this->folder/r$i.x.meta.json", $json);
            self::assertSame(1000, $store->load($id)->totals()['wt']);
            try {
                $store->meta($id);
                self::fail("accepted $json");
            } catch (DamagedRun $e) {
                self::assertStringStartsWith("$this->folder/r$i.x.meta.json: ", $e->getMessage());
            }
        }
        $list = $store->list();
        self::assertCount(6, $list);
        foreach ($list as $run) {
            self::assertStringContainsString('meta.json: ', (string) $run->error);
            self::assertSame($run->id->id, $run->meta->id);
        }
    }

    public function testMetadataOfWrongTypesIsLeftOut(): void
    {
        $store = new RunStore($this->folder);
        $id = $store->save(Runs::small(), 'x');
        file_put_contents("$this->folder/$id.meta.json", (string) json_encode([
            'ts' => 'now', 'command' => ['a'], 'url' => 5, 'calls' => 1.5, 'zts' => 'yes', 'flag_names' => [1, 'CPU', null],
            'totals' => ['wt' => 'x', 'cpu' => 7], 'clock' => 'tsc', 'meta' => 'x', 'host' => 'h',
        ]));
        $meta = $store->meta($id);
        $left = ['v' => 1, 'host' => 'h', 'flag_names' => ['CPU'], 'totals' => ['cpu' => 7]];
        self::assertSame($left, $meta->toArray());
        self::assertNull($store->list()[0]->error);
    }

    public function testATimeThatIsNoDateIsLeftOut(): void
    {
        foreach (['1e999', '-1e999', '0', '-1', '253402300800', '1e300'] as $ts) {
            self::assertNull(RunMeta::fromJson('{"ts":' . $ts . '}', 'x')->ts, $ts);
        }
        self::assertSame(253402300799.0, RunMeta::fromJson('{"ts":253402300799}', 'x')->ts);
        self::assertNull(RunMeta::fromArray(['ts' => NAN])->ts);
    }

    public function testEndlessNumbersInMetadataAreNull(): void
    {
        $meta = RunMeta::fromJson('{"meta":{"a":1e999,"b":[-1e999,1.5,"x"]}}', 'x');
        self::assertSame(['a' => null, 'b' => [null, 1.5, 'x']], $meta->meta);
        self::assertIsString(json_encode($meta->toArray()));
    }

    public function testHugeMetadataIsNotRead(): void
    {
        $store = new RunStore($this->folder);
        $id = $store->save(Runs::small(), 'x');
        file_put_contents("$this->folder/$id.meta.json", '{"command":"' . str_repeat('x', 2 << 20) . '"}');
        self::assertStringContainsString('too large', (string) $store->list()[0]->error);
    }

    public function testAnEmptyRunIsListedWithItsError(): void
    {
        touch("$this->folder/a.x.xhprof");
        self::assertSame("$this->folder/a.x.xhprof: the file is empty", (new RunStore($this->folder))->list()[0]->error);
    }

    public function testLinksAreNotFollowed(): void
    {
        $outside = "$this->folder/outside";
        $inside = "$this->folder/inside";
        mkdir($outside);
        mkdir($inside);
        file_put_contents("$outside/secret", serialize(Runs::small()));
        file_put_contents("$inside/real.x.xhprof", serialize(Runs::small()));
        symlink("$outside/secret", "$inside/link.x.xhprof");
        symlink("$inside/none", "$inside/dangling.x.xhprof");
        symlink('real.x.xhprof', "$inside/alias.x.xhprof");
        symlink("$outside/secret", "$inside/real.x.meta.json");
        symlink("$outside/secret", "$inside/real.x.tree.json");
        file_put_contents("$inside/.index", '{}');
        symlink('.index', "$inside/real.x.memory.json");
        $store = new RunStore($inside);
        self::assertFalse($store->has(RunId::fromStrings('link', 'x')));
        self::assertFalse($store->has(RunId::fromStrings('alias', 'x')), 'not within the folder either');
        self::assertNull($store->tree(RunId::fromStrings('real', 'x')));
        self::assertFalse($store->hasMemory(RunId::fromStrings('real', 'x')));
        self::assertNull($store->meta(RunId::fromStrings('real', 'x'))->command);
        $errors = [];
        foreach ($store->list() as $run) {
            $errors[$run->id->id] = $run->error !== null;
        }
        ksort($errors);
        self::assertSame(['alias' => true, 'dangling' => true, 'link' => true, 'real' => false], $errors);
        $this->expectException(RunNotFound::class);
        $store->load(RunId::fromStrings('link', 'x'));
    }

    public function testWritingThroughALinkReplacesTheLink(): void
    {
        file_put_contents("$this->folder/victim", 'precious');
        symlink("$this->folder/victim", "$this->folder/a.x.xhprof");
        (new RunStore($this->folder))->save(Runs::small(), 'x', 'a');
        self::assertSame('precious', file_get_contents("$this->folder/victim"));
        self::assertFalse(is_link("$this->folder/a.x.xhprof"));
    }

    public function testAGiantIsNotRead(): void
    {
        $id = RunId::fromStrings('giant', 'web');
        $store = new RunStore($this->folder);
        foreach (['xhprof', 'tree.json'] as $kind) {
            $store->save(Runs::small(), 'web', 'giant');
            $giant = fopen("$this->folder/" . $id->fileName($kind), 'wb');
            self::assertIsResource($giant);
            // A sparse file: it takes no room on the disk.
            ftruncate($giant, 6 << 30);
            fclose($giant);
            try {
                $kind === 'xhprof' ? $store->load($id) : $store->tree($id);
                self::fail('six gigabytes were read');
            } catch (DamagedRun | StoreError $e) {
                self::assertStringContainsString("giant.web.$kind", $e->getMessage());
                self::assertStringContainsString('too large for a file of a run', $e->getMessage());
            }
        }
    }

    public function testAPipeDoesNotBlock(): void
    {
        self::assertTrue(posix_mkfifo("$this->folder/a.x.xhprof", 0600));
        $store = new RunStore($this->folder);
        self::assertStringContainsString('not a regular file', (string) $store->list()[0]->error);
        $this->expectException(RunNotFound::class);
        $store->load(RunId::fromStrings('a', 'x'));
    }

    public function testAFileFromAnywhere(): void
    {
        file_put_contents("$this->folder/run", serialize(Runs::small()));
        self::assertSame(1000, RunFile::read("$this->folder/run")->totals()['wt']);
        $this->expectException(StoreError::class);
        $this->expectExceptionMessage("$this->folder/none does not exist");
        RunFile::read("$this->folder/none");
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Exception\XHProfException;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\BadRuns;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/BadRuns.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** A damaged or hostile run never hides another. */
final class BadFolderTest extends TestCase
{
    use TemporaryFolder;

    public function testEveryBadRunIsListedBesideTheGoodOneAndCanBeDeleted(): void
    {
        $store = new RunFolder($this->folder);
        $good = $store->save(Runs::small(), 'x', 'good');
        $bad = BadRuns::into($this->folder);
        $all = ['good', ...$bad];
        sort($all);

        self::assertSame($all, self::ids($store->list()));
        self::assertSame($all, self::ids($store->catalog()->find(new RunQuery(), 1000)->runs));
        self::assertSame($all, self::ids((new RunFolder($this->folder))->catalog()->find(new RunQuery(), 1000)->runs));
        self::assertSame(['good'], self::ids($store->catalog()->find(new RunQuery(source: 'x'), 1000)->runs));
        foreach ($bad as $text) {
            $id = RunId::fromStrings($text, BadRuns::SOURCE);
            self::assertNotNull($store->catalog()->entry($id));
            foreach (['profile', 'meta', 'tree', 'samples', 'recordedSamples', 'memory'] as $read) {
                try {
                    $store->open($id)->$read();
                } catch (DamagedRun | RunNotFound | StoreError $e) {
                    self::assertNotSame('', $e->getMessage());
                }
            }
            try {
                $store->setLabel($id, Label::fromInput(false, ['bad'], ''));
            } catch (RunNotFound) {
                // The run itself is not a file.
            }
        }
        self::assertSame(1000, $store->open($good)->profile()->totals()['wt']);
        foreach ($bad as $text) {
            $store->delete(RunId::fromStrings($text, BadRuns::SOURCE));
        }
        self::assertSame(['good'], self::ids((new RunFolder($this->folder))->catalog()->find(new RunQuery(), 1000)->runs));
        self::assertSame([], glob("$this->folder/bad*"));
    }

    public function testANumberIsNoNameOfAFunctionAnywhere(): void
    {
        $store = new RunFolder($this->folder);
        $tree = ['fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1], 'self' => ['wt' => [1, 1]]];
        foreach (['0', '12', '-7'] as $name) {
            $files = [
                'samples' => serialize(['1700000000.5' => "main()==>$name"]),
                'edges' => serialize(['main()' => ['ct' => 1], "main()==>$name" => ['ct' => 1]]),
            ];
            foreach ($files as $kind => $bytes) {
                file_put_contents(RunFiles::path($this->folder, "$kind.x"), $bytes);
                self::assertRefused(static fn () => $store->open(RunId::fromStrings($kind, 'x'))->profile());
            }
            $id = $store->save(Runs::small(), 'x', 'tree');
            RunFiles::put($this->folder, $id, ['tree' => ['names' => ['main()', $name]] + $tree]);
            self::assertRefused(static fn () => $store->open($id)->tree());
        }
        // These are names: PHP does not turn such array keys into numbers.
        foreach (['00', '1.5', '12@1', '99999999999999999999'] as $name) {
            self::assertContains($name, $store->open($store->save(["main()==>$name" => ['ct' => 1]], 'x'))->profile()->symbols());
        }
    }

    /** Other tools have such names: they get brackets. A run file with one is refused, as PHP has made another key of it. */
    public function testANumberIsNoFunctionNameInImportedRuns(): void
    {
        $store = new RunFolder($this->folder);
        $files = [
            'folded' => "main;0 5\nmain;7 7\n",
            'callgrind' => "events: Ir\nfn=0\n1 5\ncfn=7\ncalls=1 0\n1 7\nfn=7\n1 7\n",
            'speedscope' => json_encode(['$schema' => 'https://www.speedscope.app/file-format-schema.json',
                'shared' => ['frames' => [['name' => '0'], ['name' => '7']]], 'profiles' => [['type' => 'sampled', 'name' => 'x',
                    'unit' => 'none', 'startValue' => 0, 'endValue' => 1, 'samples' => [[0], [1]], 'weights' => [1, 1]]]]),
        ];
        foreach ($files as $format => $bytes) {
            file_put_contents("$this->folder/in", $bytes);
            $file = new InputFile("$this->folder/in", 'in');
            foreach ((new Importer($store, 'x'))->import($file, Readers::for($file, $format, 'samples')) as $outcome) {
                self::assertNotNull($outcome->id);
                $symbols = $store->open($outcome->id)->profile()->symbols();
                self::assertSame([], array_diff(['(0)', '(7)'], $symbols), $format);
                self::assertSame([], array_intersect(['0', '7'], $symbols), $format);
                $store->delete($outcome->id);
            }
        }
        file_put_contents("$this->folder/in", serialize(['main()' => ['ct' => 1], 'main()==>12' => ['ct' => 1]]));
        $file = new InputFile("$this->folder/in", 'in');
        try {
            iterator_to_array((static fn () => yield from (new Importer($store, 'x'))->import($file, Readers::for($file)))());
            self::fail('it was taken for a run');
        } catch (InvalidProfile) {
            self::assertSame([], $store->list());
        }
    }

    /** A file that is small, and much larger once it is read, may not end the process that lists it. */
    public function testTheListReadsNoRunThatMayNotFitIntoMemory(): void
    {
        $stacks = [];
        for ($stack = 0, $frame = 0; $stack < 30; $stack++) {
            $text = 'main()';
            for ($depth = 0; $depth < 10000; $depth++) {
                $text .= '==>f' . $frame++;
            }
            $stacks[1700000000 + $stack . '.5'] = $text;
        }
        RunFiles::classic($this->folder, 'large.x', $stacks);
        unset($stacks, $text);
        memory_reset_peak_usage();
        $before = memory_get_usage();
        self::assertSame(['large'], self::ids((new RunFolder($this->folder))->catalog()->find(new RunQuery(), 10)->runs));
        self::assertLessThan(100 << 20, memory_get_peak_usage() - $before);
    }

    /** @param \Closure(): mixed $read */
    private static function assertRefused(\Closure $read): void
    {
        try {
            $read();
            self::fail('a number was taken for a function');
        } catch (XHProfException $e) {
            self::assertInstanceOf(DamagedRun::class, $e);
        }
    }

    /**
     * @param list<RunEntry> $runs
     *
     * @return list<string>
     */
    private static function ids(array $runs): array
    {
        $ids = array_map(static fn (RunEntry $run): string => $run->id->id, $runs);
        sort($ids);

        return $ids;
    }
}

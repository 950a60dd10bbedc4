<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Functions\FlatReport;
use XHProf\Functions\RunHead;
use XHProf\Profile\TimePart;
use XHProf\Run\Exemplars;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunTimes;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/AutomaticRuns.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/PprofDecoder.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Single requests of a window are runs. */
final class ExemplarsTest extends TestCase
{
    use TemporaryFolder;

    private const ROUTE = 'GET /search';

    private RunFolder $store;

    private RunId $window;

    protected function setUp(): void
    {
        AutomaticRuns::build($this->folder);
        $this->store = new RunFolder($this->folder);
        $this->window = RunId::fromStrings(AutomaticRuns::window(9), 'traffic');
    }

    /** @param Exemplars::USUAL|Exemplars::SLOWEST|Exemplars::RANDOM $kind */
    private function id(string $kind, string $route = self::ROUTE): RunId
    {
        return Exemplars::id($this->window, $kind, $route) ?? self::fail('it has no id');
    }

    public function testTheSlowestRequestIsARun(): void
    {
        $id = $this->id(Exemplars::SLOWEST);
        $run = $this->store->open($id);
        self::assertTrue($this->store->has($id) && $this->store->isExemplar($id) && $run->has(Run::TREE));
        $tree = $run->tree();
        self::assertNotNull($tree);
        self::assertSame(['main()', self::ROUTE, 'App\Kernel::handle', 'PDOStatement::execute'], $tree->names);
        self::assertSame([[0, 0, 5, 95], [0, 1, 2, 3]], [$tree->ct, $tree->depth]);
        self::assertSame([0, 0, 12, 34], $tree->callLine);
        self::assertSame(['wt' => [0, 0, 50000000, 950000000]], $tree->self);
        self::assertSame([
            'allocated_bytes' => [0, 1 << 20, 100 << 20, 2 << 20],
            'allocated_blocks' => [0, 1, 100, 2],
            'peak_bytes' => [0, 0, 7 << 20, 1 << 20],
        ], $tree->allocations);
        $profile = $run->profile();
        self::assertSame(1000000, $profile->totals()['wt']);
        self::assertSame(100, $profile->totals()['ct']);
        $meta = $run->meta();
        $route = $this->store->open($this->window)->meta()->window?->routeStats(self::ROUTE);
        self::assertSame(
            [self::ROUTE . " (slowest of $route?->requests)", self::ROUTE, 100, $route?->max],
            [$meta->title(), $meta->origin->route, $meta->recording->samples, $meta->totals->durationUs],
        );
        self::assertSame((string) $this->window, (string) Exemplars::windowOf($id));
        self::assertNull($run->samples());
        self::assertFalse($run->has(Run::SAMPLES) || $run->has(Run::MEMORY) || $run->has(Run::TIMELINE));
        self::assertNotSame($run->version(), $this->store->open($this->id(Exemplars::RANDOM))->version());
        self::assertNull($run->memory() ?? $run->operations() ?? $run->recordedSamples());
        $folded = ExportRuns::written('folded', $run, 'allocated_bytes');
        self::assertStringContainsString('App\Kernel::handle ' . (100 << 20) . "\n", $folded);
    }

    public function testTheMeanOfAllIsTheRoutesPartOfTheWindow(): void
    {
        $run = $this->store->open($this->id(Exemplars::USUAL));
        $tree = $run->tree();
        $route = $this->store->open($this->window)->meta()->window?->routeStats(self::ROUTE);
        self::assertNotNull($tree);
        self::assertNotNull($route);
        self::assertSame([0, 1, 2, 3], $tree->depth);
        $wall = array_sum($tree->self['wt']) / 1000;
        self::assertEqualsWithDelta($route->samples * 10000 / $route->requests, $wall, 10000 / $route->requests + 1);
        self::assertSame(self::ROUTE . " (mean of $route->requests)", $run->meta()->title());
        $functions = array_map(static fn (int $fn): string => $tree->names[$fn], $tree->fn);
        $counts = array_combine($functions, $tree->ct);
        $rows = array_map(static fn (array $row): int|float => $row['ct'], FlatReport::compute($run->profile())->rows());
        self::assertEquals($rows, $counts, 'of one request, in the call tree as in the table of functions');
        self::assertSame($run->profile()->totals()['ct'], $run->meta()->recording->samples);
        [$allocated, $held] = AutomaticRuns::ALLOCATED[self::ROUTE];
        self::assertSame([0, 0, $allocated, 0], $tree->allocations['allocated_bytes']);
        self::assertSame([0, 0, intdiv($held * 3, 4), intdiv($held, 4)], $tree->allocations['peak_bytes']);
    }

    /** The CPU time of a request was measured; where it is not known whether that is of the time of its samples, nothing is. */
    public function testWhereTheTimeOfAKeptRequestWas(): void
    {
        foreach ([Exemplars::SLOWEST, Exemplars::RANDOM, Exemplars::USUAL] as $kind) {
            $run = $this->store->open($this->id($kind));
            [$cpu, $duration] = [$run->meta()->totals->cpuUs, $run->meta()->totals->durationUs];
            self::assertGreaterThan(0, $cpu);
            $times = $run->times()->whole();
            self::assertNotNull($times);
            self::assertSame((int) round(1000 * $run->profile()->total('wt')), $times->total());
            self::assertSame((int) round($times->total() * $cpu / $duration), $times->group(TimePart::ON_CPU), $kind);
            self::assertSame(0, $times->ns(TimePart::Unknown));
        }
        $part = ['requests' => 1, 'us' => 9];
        foreach ([['suspended' => $part], ['early' => 1], ['unsampled' => $part], ['mixed' => 1]] as $some) {
            RunFiles::change($this->folder, $this->window, 'meta', static function (array $meta) use ($some): array {
                $route = array_diff_key($meta['aggregate']['routes'][self::ROUTE], array_flip(['suspended', 'early', 'unsampled']));
                $meta['aggregate']['routes'][self::ROUTE] = $some + $route;

                return $meta;
            });
            $run = (new RunFolder($this->folder))->open($this->id(Exemplars::SLOWEST));
            self::assertNull($run->meta()->totals->cpuUs, (string) key($some));
            self::assertContains(RunTimes::SAMPLES, $run->times()->whole()->notes ?? []);
        }
    }

    /** By its ids a request is found in its trace: they are those of the run, and leave with it. */
    public function testAKeptRequestHasTheIdsOfItsTrace(): void
    {
        $ids = ['trace_id' => '4bf92f3577b34da6a3ce929d0e0e4736', 'span_id' => '00f067aa0ba902b7'];
        RunFiles::change($this->folder, $this->window, 'exemplars', static function (array $data) use ($ids): array {
            $data['exemplars'][0] += $ids;
            $data['exemplars'][1] += ['trace_id' => "$ids[trace_id]0", 'span_id' => ['odd']];

            return $data;
        });
        $found = [];
        foreach ([Exemplars::SLOWEST, Exemplars::RANDOM, Exemplars::USUAL] as $kind) {
            $run = $this->store->open($this->id($kind));
            $found[$kind] = $run->meta()->origin->trace();
            $head = (new RunHead($run))->heading(1)->lines;
            self::assertSame($kind === Exemplars::SLOWEST, in_array("Trace $ids[trace_id], span $ids[span_id]", $head, true));
            $comments = PprofDecoder::decode(ExportRuns::written('pprof', $run))['comments'];
            self::assertSame($kind === Exemplars::SLOWEST, in_array("trace_id: $ids[trace_id]", $comments, true));
        }
        self::assertSame([Exemplars::SLOWEST => $ids, Exemplars::RANDOM => [], Exemplars::USUAL => []], $found);
        $sent = array_map(
            static fn (array $one): array => [$one['kind'], $one['trace_id'] ?? null, $one['span_id'] ?? null],
            $this->store->open($this->window)->requests(),
        );
        self::assertContains(['slowest', $ids['trace_id'], $ids['span_id']], $sent);
        self::assertContains(['random', null, null], $sent);
    }

    /** A request whose allocations were not sampled is not counted in their mean. */
    public function testTheMeanOfAllocationsIsThatOfTheRequestsThatWereSampled(): void
    {
        RunFiles::change($this->folder, $this->window, 'meta', static function (array $data): array {
            $data['aggregate']['routes'][self::ROUTE]['allocations']['requests'] /= 2;
            self::assertIsInt($data['aggregate']['routes'][self::ROUTE]['allocations']['requests']);

            return $data;
        });
        $tree = $this->store->open($this->id(Exemplars::USUAL))->tree();
        self::assertSame(2 * AutomaticRuns::ALLOCATED[self::ROUTE][0], $tree->allocations['allocated_bytes'][2] ?? null);
    }

    public function testARequestWithoutSampledAllocationsHasNone(): void
    {
        $this->window = RunId::fromStrings(AutomaticRuns::window(AutomaticRuns::ALLOCATING - 1), 'traffic');
        foreach ([Exemplars::SLOWEST, Exemplars::USUAL] as $kind) {
            self::assertSame([], $this->store->open($this->id($kind))->tree()?->allocations);
        }
    }

    public function testTheirNamesFindThem(): void
    {
        $id = $this->id(Exemplars::SLOWEST);
        foreach ([[$id->id, null], [$id->id, 'traffic'], [(string) $id, null]] as [$name, $source]) {
            self::assertSame((string) $id, (string) $this->store->identify($name, $source));
        }
        $none = [["{$this->window->id}-slowest-000000000000", null], [$id->id, 'other'], ['b-usual-000000000000.traffic', null]];
        foreach ($none as [$name, $source]) {
            try {
                $this->store->identify($name, $source);
                self::fail("$name was found");
            } catch (RunNotFound) {
            }
        }
    }

    public function testOthersAreNoRuns(): void
    {
        $none = [$this->id(Exemplars::SLOWEST, 'POST /cart'), $this->id(Exemplars::USUAL, 'POST /cart')];
        foreach ([...$none, RunId::fromStrings("{$this->window->id}-slowest-x", 'traffic')] as $id) {
            self::assertFalse($this->store->has($id));
            try {
                $this->store->open($id)->profile();
                self::fail('it was loaded');
            } catch (RunNotFound) {
            }
        }
        $long = RunId::fromStrings(str_repeat('a', 60), 'traffic');
        self::assertNull(Exemplars::id($long, Exemplars::USUAL, self::ROUTE));
    }

    public function testDamagedAllocationsAreNamed(): void
    {
        $columns = [[1, 2], [1, 2, -3, 1, 2, 3], [1, 2, 'x', 1, 2, 3], 5, [1, 2, 1 << 60, 1, 2, 3], [1, 2, 3, 1, 2, 3, 4]];
        foreach ($columns as $column) {
            RunFiles::change($this->folder, $this->window, 'exemplars', static function (array $data) use ($column): array {
                $data['self']['peak_bytes'] = $column;

                return $data;
            });
            try {
                (new RunFolder($this->folder))->open($this->id(Exemplars::SLOWEST))->tree();
                self::fail('it was read: ' . json_encode($column));
            } catch (DamagedRun $e) {
                self::assertStringContainsString('"peak_bytes" of an exemplar', $e->getMessage());
            }
        }
    }

    public function testDamageIsNamed(): void
    {
        RunFiles::change($this->folder, $this->window, 'exemplars', static function (array $data): array {
            $data['fn'][1] = 1000;

            return $data;
        });
        try {
            $this->store->open($this->id(Exemplars::SLOWEST))->tree();
            self::fail('it was read');
        } catch (DamagedRun $e) {
            self::assertStringContainsString(RunFiles::file($this->window), $e->getMessage());
        }
        foreach (['{"exemplars":5}', '{"exemplars":[{"route":"GET /search","kind":"other","n":3}]}', '"nothing"'] as $json) {
            RunFiles::damage($this->folder, $this->window, 'exemplars', $json);
            $store = new RunFolder($this->folder);
            self::assertFalse($store->isExemplar($this->id(Exemplars::SLOWEST)), $json);
            self::assertNull($store->exemplarWall($this->id(Exemplars::SLOWEST)), $json);
        }
    }

    public function testTheyGoWithTheirWindow(): void
    {
        $this->store->delete($this->window);
        self::assertFileDoesNotExist(RunFiles::path($this->folder, $this->window));
        self::assertFalse($this->store->has($this->id(Exemplars::SLOWEST)));
    }

    public function testSumsOfWaiting(): void
    {
        $totals = $this->store->catalog()->requestTotals(new RunQuery(start: 'aggregate'));
        $figures = $totals->figures(self::ROUTE);
        self::assertSame(['sql', 'gc', 'output'], array_keys($figures->waits));
        self::assertSame(3 * (AutomaticRuns::WINDOWS - 1), $figures->waits['gc']);
        self::assertStringStartsWith('a2', $totals->slowest(self::ROUTE)->id ?? '');
        self::assertNull($totals->slowest('nothing'));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Fleet\Ship\Backoff;
use XHProf\Fleet\Ship\Labels;
use XHProf\Fleet\Ship\RunKind;
use XHProf\Fleet\Ship\ShipLimits;
use XHProf\Fleet\Ship\ShipState;
use XHProf\Fleet\Ship\ValueBound;
use XHProf\Fleet\Shipment;
use XHProf\Status\Shipping;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\ShipBench;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/AutomaticRuns.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/ShipBench.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** What the shipper sends and when, with a clock of its own; and what it knows after a process has ended anywhere. */
final class ShipperTest extends TestCase
{
    use TemporaryFolder;

    private function bench(int $runs = 0): ShipBench
    {
        $bench = new ShipBench("$this->folder/runs", "$this->folder/state");
        for ($run = 1; $run <= $runs; $run++) {
            $bench->window("r$run");
        }

        return $bench;
    }

    public function testEachRunIsSentOnceTheOldestFirst(): void
    {
        $bench = $this->bench(5);
        $bench->limits = new ShipLimits(2);
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([['r1', 'r2'], ['r3', 'r4'], ['r5']], $bench->offered);
        $bench->window('r6');
        $shipper = $bench->shipper();
        foreach (range(1, 2) as $pass) {
            self::assertTrue($shipper->pass(), "pass $pass");
        }
        self::assertSame(['r6'], $bench->offered[3] ?? null);
        self::assertCount(4, $bench->offered);
        self::assertSame(array_fill(0, 6, 1), array_values($bench->taken));
        self::assertSame(6, $bench->state()->counters->sent);
    }

    public function testTheStoreGetsAReportWhenSomethingIsNewAndEveryFewMinutes(): void
    {
        $bench = $this->bench(2);
        $shipper = $bench->shipper();
        // It is no matter if the store does not take it.
        $bench->noReport = ShipBench::away();
        self::assertTrue($shipper->pass());
        self::assertTrue($shipper->pass());
        self::assertSame(['the store takes no report: the store is away'], $bench->log);
        self::assertSame('', $bench->state()->counters->error);
        $bench->noReport = null;
        $shipper->pass();
        $shipper->pass();
        self::assertCount(1, $bench->reports);
        $report = $bench->reports[0];
        self::assertSame(['web-1', 'shop', 2, 0, 0, null], [
            $report->host, $report->service, $report->sent, $report->dropped, $report->waiting, $report->oldest,
        ]);
        self::assertSame($report->id, $bench->state()->id());
        $bench->now += 300;
        $shipper->pass();
        self::assertCount(2, $bench->reports);

        // While the store is away there is no use in it; then it gets what was lost meanwhile.
        $bench->window('r3');
        $bench->window('r4');
        $bench->limits = new ShipLimits(attempts: 1);
        $bench->failures = [ShipBench::away()];
        $away = $bench->shipper();
        self::assertFalse($away->pass());
        self::assertCount(2, $bench->reports);
        $bench->remove('r3');
        $bench->bad = ['r4' => true];
        self::assertTrue($bench->shipper()->pass());
        $last = $bench->reports[count($bench->reports) - 1];
        self::assertSame([2, 1, 1, 0], [$last->sent, $last->dropped, $last->rejected, $last->waiting]);
    }

    public function testABatchEndsWhenItsTreesAreLarge(): void
    {
        $bench = $this->bench(3);
        $bench->limits = new ShipLimits(100, 1);
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([['r1'], ['r2'], ['r3']], $bench->offered);
    }

    public function testARunHasWhatTheHostSaysOfIt(): void
    {
        $bench = $this->bench(1);
        self::assertTrue($bench->shipper()->pass());
        $one = $bench->shipments['r1'];
        $meta = $one->run->meta();
        self::assertSame(
            ['web-1/r1.web', 'shop', 'live', 'abc1234', 'web-1', '8.2.36', 'aggregate', 10000, 60.0],
            [
                $one->key, $one->service, $one->env, $meta->origin->release, $meta->origin->host, $meta->origin->php,
                $meta->recording->mode, $one->interval(),
                $one->to() - $one->from(),
            ],
        );
        self::assertSame(['main()', 'GET /', 'App\Kernel::handle'], $one->tree()->names);
        self::assertSame(3, $meta->window?->routeStats('GET /')?->requests);
        self::assertNull($meta->origin->route);
    }

    public function testTheReleaseOfARunComesBeforeItsRevision(): void
    {
        $bench = $this->bench();
        $bench->window('r1', meta: ['release' => '1.5.0']);
        $bench->window('r2', meta: ['release' => '20261128123456']);
        $bench->window('r3');
        $bench->shipper()->pass();
        $release = static fn (Shipment $one): ?string => $one->run->meta()->origin->release;
        self::assertSame(
            ['r1' => '1.5.0', 'r2' => '20261128123456', 'r3' => 'abc1234'],
            array_map($release, $bench->shipments),
        );
        $named = new ShipBench("$this->folder/runs", "$this->folder/other", Labels::parse('shop', '', 'named', 'web-1', []));
        $named->shipper()->pass();
        self::assertSame('named', $release($named->shipments['r1']));
    }

    public function testExemplarsComeWithTheirWindow(): void
    {
        $bench = $this->bench();
        AutomaticRuns::build($bench->runFolder);
        self::assertTrue($bench->shipper()->pass());
        $exemplars = $bench->shipments[AutomaticRuns::window(9)]->exemplars;
        self::assertSame(['slowest', 'random'], array_column($exemplars, 'kind'));
        self::assertSame('GET /search', $exemplars[0]['route']);
        self::assertSame(['main()', 'GET /search', 'App\Kernel::handle', 'PDOStatement::execute'], $exemplars[0]['tree']->names);
        self::assertSame(95, array_sum($exemplars[0]['tree']->ct) - 5);
        self::assertStringStartsWith(AutomaticRuns::window(9) . '-slowest-', (string) $exemplars[0]['id']);
        self::assertCount(AutomaticRuns::WINDOWS, $bench->shipments);
    }

    public function testSingleRunsAreSentByChoice(): void
    {
        $bench = $this->bench();
        AutomaticRuns::build($bench->runFolder);
        self::assertTrue($bench->shipper()->pass());
        self::assertArrayNotHasKey(AutomaticRuns::SAMPLED, $bench->shipments);
        // The state remembers what stayed, until another kind is wanted.
        $bench->kinds = [RunKind::Window, RunKind::Triggered];
        $count = count($bench->shipments);
        self::assertTrue($bench->shipper()->pass());
        $one = $bench->shipments[AutomaticRuns::SAMPLED];
        $meta = $one->run->meta();
        self::assertSame(
            [1000, 'GET /orders/{id}', false, null],
            [$one->interval(), $meta->origin->route, $meta->recording->failed, $meta->window],
        );
        self::assertArrayNotHasKey(AutomaticRuns::PART, $bench->shipments);
        self::assertGreaterThan($count, count($bench->shipments));
        self::assertSame(array_fill(0, count($bench->taken), 1), array_values($bench->taken));
    }

    public function testPausesGrowAndTheStoresWishCounts(): void
    {
        $bench = $this->bench(1);
        $bench->failures = array_map(ShipBench::away(...), [null, 45.0, 86400.0, ...array_fill(0, 8, null)]);
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([1.0, 45.0, 600.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0], $bench->pauses);
        self::assertSame(['web-1/r1.web' => 1], $bench->taken);
        self::assertSame(['the store is away', 'test://store takes runs again'], $bench->log);
        self::assertSame('', $bench->state()->counters->error);
        $backoff = new Backoff(static fn (): float => 1.0);
        self::assertSame([0.5, 1.0, 2.0], [$backoff->next(), $backoff->next(), $backoff->next()]);
    }

    public function testOnceEndsAfterItsAttempts(): void
    {
        $bench = $this->bench(2);
        $bench->limits = new ShipLimits(100, 1 << 20, 3);
        $bench->failures = array_fill(0, 3, ShipBench::away());
        self::assertFalse($bench->shipper()->pass());
        self::assertSame([1.0, 2.0], $bench->pauses);
        $state = $bench->state();
        self::assertSame(['r1.web', 'r2.web'], array_keys($state->waiting()));
        self::assertSame(['the store is away', $bench->now], [$state->counters->error, $state->counters->errorAt]);
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([1, 1], array_values($bench->taken));
    }

    /** Whatever the store asks for: `--once` is of cron, which starts the next one. */
    public function testOnceEndsAfterItsTime(): void
    {
        foreach ([1e9, 59.5, 86400.0] as $wish) {
            $bench = $this->bench(2);
            $bench->limits = ShipLimits::once();
            $bench->failures = [ShipBench::away($wish), ShipBench::away($wish)];
            $began = $bench->now;
            self::assertFalse($bench->shipper()->pass());
            self::assertLessThanOrEqual(ShipLimits::SECONDS_ONCE, $bench->now - $began);
            self::assertSame(['r1.web', 'r2.web'], array_keys($bench->state()->waiting()));
            self::assertSame('the store is away', $bench->state()->counters->error);
        }
        // A store that takes something has time for the rest.
        $bench = $this->bench(3);
        $bench->limits = new ShipLimits(1, 1 << 20, 3, 60.0);
        $bench->failures = [ShipBench::away(40.0), null, ShipBench::away(40.0), null, ShipBench::away(40.0)];
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([40.0, 40.0, 40.0], $bench->pauses);
    }

    public function testWhatTheFolderLosesBeforeItWasSentIsCounted(): void
    {
        $bench = $this->bench(4);
        $bench->limits = new ShipLimits(1);
        $bench->failures = [ShipBench::away(), ShipBench::away()];
        $bench->inPause = static function () use ($bench): void {
            // r1 is being sent: it is not lost.
            $bench->remove('r1');
            $bench->remove('r2');
            touch($bench->runFolder, (int) $bench->now);
        };
        self::assertTrue($bench->shipper()->pass());
        self::assertSame(['web-1/r1.web', 'web-1/r3.web', 'web-1/r4.web'], array_keys($bench->taken));
        self::assertSame([3, 1], [$bench->state()->counters->sent, $bench->state()->counters->dropped]);
        self::assertContains('1 run left the folder unsent', $bench->log);
    }

    public function testLostRunsAreCountedByALaterProcessToo(): void
    {
        $bench = $this->bench(3);
        $bench->limits = new ShipLimits(100, 1 << 20, 1);
        $bench->failures = [ShipBench::away()];
        self::assertFalse($bench->shipper()->pass());
        $bench->remove('r2');
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([2, 1], [$bench->state()->counters->sent, $bench->state()->counters->dropped]);
    }

    public function testARefusedBatchIsHalvedUntilTheBadRunIsAlone(): void
    {
        $bench = $this->bench(8);
        $bench->bad = ['r6' => true];
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([8, 4, 4, 2, 1, 1, 2], array_map(count(...), $bench->offered));
        self::assertCount(7, $bench->taken);
        $counters = $bench->state()->counters;
        self::assertSame([7, 1, 'r6.web: it has a bad run'], [$counters->sent, $counters->rejected, $counters->runError]);
        $bench->offered = [];
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([], $bench->offered);
    }

    public function testAStoreThatRefusesEveryRunIsSuspected(): void
    {
        $bench = $this->bench(40);
        foreach (range(1, 40) as $run) {
            $bench->bad["r$run"] = true;
        }
        $bench->inPause = static function () use ($bench): void {
            $bench->isStopped = count($bench->pauses) === 5;
        };
        self::assertFalse($bench->shipper()->pass());
        self::assertSame(14, $bench->state()->counters->rejected);
        self::assertStringContainsString('the store refuses every run', $bench->state()->counters->error);
        self::assertCount(26, $bench->state()->waiting());
    }

    public function testRunsThatTheStoreFailsWithAreSetAsideWhenItTakesOthers(): void
    {
        $bench = $this->bench(4);
        $bench->limits = new ShipLimits(2);
        $bench->poison = ['r2' => true];
        self::assertTrue($bench->shipper()->pass());
        // At 0, 1, 3 ... 511 and 811 seconds; then one of the others, the rest, and each of the two alone.
        self::assertSame([...array_fill(0, 11, ['r1', 'r2']), ['r4'], ['r3'], ['r1'], ['r2']], $bench->offered);
        self::assertSame(['r4', 'r3', 'r1'], array_keys($bench->shipments));
        $state = $bench->state();
        self::assertSame(['r2.web' => [$bench->now + 3600, 1]], $state->aside());
        self::assertSame([['r2.web'], 3, ''], [array_keys($state->waiting()), $state->counters->sent, $state->counters->error]);
        self::assertSame('r2.web: the store is away', $state->counters->runError);
        self::assertContains('2 runs are set aside: test://store takes others', $bench->log);
        [$shipping] = Shipping::read($bench->stateFolder, [$bench->runFolder], $bench->now)[0];
        self::assertSame([1, 1, 0], [$shipping->json()['set_aside'], $shipping->json()['waiting'], $shipping->json()['lag']]);
        $texts = array_column($shipping->findings(), 'text');
        self::assertStringStartsWith('1 run set aside: ', $texts[1]);
        self::assertStringStartsWith('r2.web: the store is away', $texts[2]);

        $bench->offered = [];
        $bench->window('r5');
        $bench->now += 3599;
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([['r5']], $bench->offered);
        foreach ([7200, 14400, 28800, 57600, 86400, 86400] as $i => $pause) {
            $bench->now = $bench->state()->aside()['r2.web'][0];
            self::assertTrue($bench->shipper()->pass());
            self::assertSame(['r2.web' => [$bench->now + $pause, $i + 2]], $bench->state()->aside());
        }
        self::assertSame([['r5'], ...array_fill(0, 6, ['r2'])], $bench->offered);

        $bench->poison = [];
        $bench->now += 86400;
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([[], []], [$bench->state()->aside(), $bench->state()->waiting()]);
        self::assertSame(array_fill(0, 5, 1), array_values($bench->taken));
    }

    public function testNothingIsSetAsideWhileTheStoreTakesNothing(): void
    {
        $bench = $this->bench(3);
        $bench->limits = new ShipLimits(1);
        $bench->failures = array_fill(0, 40, ShipBench::away());
        self::assertTrue($bench->shipper()->pass());
        self::assertSame(['r1', 'r2', 'r3'], array_keys($bench->shipments));
        self::assertNotContains('1 run is set aside: test://store takes others', $bench->log);

        // There are no others.
        $bench->window('r4');
        $bench->failures = array_fill(0, 20, ShipBench::away());
        self::assertTrue($bench->shipper()->pass());
        self::assertSame(array_fill(0, 21, ['r4']), array_slice($bench->offered, -21));

        // One of the others happens to come when the store is there again. The first one has its turn in the same pass.
        $bench->window('r5');
        $bench->window('r6');
        $bench->failures = array_fill(0, 41, ShipBench::away());
        self::assertTrue($bench->shipper()->pass());
        self::assertSame(['r6', 'r5'], array_slice(array_keys($bench->shipments), 4));
        self::assertSame([[], []], [$bench->state()->aside(), $bench->state()->waiting()]);
        self::assertSame(array_fill(0, 6, 1), array_values($bench->taken));
    }

    public function testProcessesThatTryAFewTimesSetRunsAsideTogether(): void
    {
        $bench = $this->bench(2);
        $bench->limits = new ShipLimits(1, 1 << 20, 3);
        $bench->poison = ['r1' => true];
        foreach ([false, false, true] as $isAll) {
            self::assertSame($isAll, $bench->shipper()->pass());
            $bench->now += 300;
        }
        self::assertSame([...array_fill(0, 8, ['r1']), ['r2'], ['r1']], $bench->offered);
        self::assertSame(['r1.web'], array_keys($bench->state()->aside()));
        self::assertContains('1 run is set aside: test://store takes others', $bench->log);
        // It counts as lost when the folder loses it.
        $bench->remove('r1');
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([[], 1], [$bench->state()->aside(), $bench->state()->counters->dropped]);
    }

    public function testADamagedRunIsSkippedCountedAndNotReadAgain(): void
    {
        $bench = $this->bench(3);
        RunFiles::damage($bench->runFolder, 'r2.web', 'tree', '{"names":');
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([['r1', 'r3']], $bench->offered);
        $counters = $bench->state()->counters;
        self::assertSame([2, 1], [$counters->sent, $counters->damaged]);
        self::assertStringContainsString(RunFiles::file('r2.web'), $counters->runError);
        file_put_contents(RunFiles::path($bench->runFolder, 'r4.web'), 'nothing');
        self::assertTrue($bench->shipper()->pass());
        self::assertTrue($bench->shipper()->pass());
        self::assertSame([2, 2], [$bench->state()->counters->sent, $bench->state()->counters->damaged]);
    }

    public function testAProcessThatEndsBetweenSendingAndConfirmingSendsTheSameKeysAgain(): void
    {
        $bench = $this->bench(3);
        $bench->limits = new ShipLimits(2);
        $bench->afterSend = static fn () => throw new \Error('killed');
        try {
            $bench->shipper()->pass();
            self::fail('it was not killed');
        } catch (\Error) {
        }
        $bench->afterSend = null;
        self::assertTrue($bench->shipper()->pass());
        self::assertSame(['web-1/r1.web' => 2, 'web-1/r2.web' => 2, 'web-1/r3.web' => 1], $bench->taken);
        self::assertSame(3, $bench->state()->counters->sent);
    }

    public function testALineThatWasNotWrittenWholeCountsForNothing(): void
    {
        $bench = $this->bench(2);
        $bench->limits = new ShipLimits(1);
        self::assertTrue($bench->shipper()->pass());
        [$file] = glob("$bench->stateFolder/*" . ShipState::SUFFIX) ?: ['-'];
        $text = (string) file_get_contents($file);
        foreach (range(0, strlen($text)) as $bytes) {
            file_put_contents($file, substr($text, 0, $bytes));
            $state = $bench->state();
            // Never more than was confirmed, and what was is known by whole lines.
            $confirmed = preg_match_all('/^\{"done":\["(r[12]\.web)"\].*\n/m', substr($text, 0, $bytes), $lines);
            foreach (['r1.web', 'r2.web'] as $run) {
                $isDone = $state->isKnown($run) && !isset($state->waiting()[$run]);
                self::assertSame(in_array($run, $lines[1], true), $isDone, "$bytes bytes");
            }
            self::assertSame($confirmed, $state->counters->sent);
        }
    }

    public function testAStateKnowsNoMoreThanTheFolder(): void
    {
        $bench = $this->bench(50);
        self::assertTrue($bench->shipper()->pass());
        [$file] = glob("$bench->stateFolder/*" . ShipState::SUFFIX) ?: ['-'];
        $bench->state();
        $before = filesize($file);
        foreach (range(1, 49) as $run) {
            $bench->remove("r$run");
        }
        self::assertTrue($bench->shipper()->pass());
        self::assertSame(['r50.web'], $bench->state()->known());
        clearstatcache();
        self::assertLessThan($before / 2, filesize($file));
        self::assertSame([50, 0], [$bench->state()->counters->sent, $bench->state()->counters->dropped]);
    }

    public function testTheStateFileIsWrittenAnewWhenItHasGrown(): void
    {
        $bench = $this->bench(1);
        $state = $bench->state();
        foreach (range(1, 20000) as $step) {
            $state->counters->sent = $step;
            $state->done([]);
        }
        clearstatcache();
        self::assertLessThan(1 << 20, filesize($state->path()));
        self::assertSame(20000, $bench->state()->counters->sent);
    }

    public function testASignalFinishesTheBatchAndBeginsNoOther(): void
    {
        $bench = $this->bench(4);
        $bench->limits = new ShipLimits(2);
        $bench->afterSend = static function () use ($bench): void {
            $bench->isStopped = true;
        };
        self::assertFalse($bench->shipper()->pass());
        self::assertSame([['r1', 'r2']], $bench->offered);
        self::assertSame(2, $bench->state()->counters->sent);
        $bench->shipper()->run(10.0);
        self::assertCount(1, $bench->offered);
    }

    public function testARunThatCannotBeOpenedWaits(): void
    {
        if (posix_geteuid() === 0) {
            self::markTestSkipped('root may open any file');
        }
        $bench = $this->bench(2);
        $file = RunFiles::path($bench->runFolder, 'r1.web');
        chmod($file, 0);
        self::assertFalse($bench->shipper()->pass());
        self::assertSame([1, 0], [$bench->state()->counters->sent, $bench->state()->counters->damaged]);
        chmod($file, 0600);
        self::assertTrue($bench->shipper()->pass());
        self::assertSame(2, $bench->state()->counters->sent);
    }

    public function testSoManyValuesOfALabelHaveRoom(): void
    {
        $bound = new ValueBound(['' => 2, 'route' => 3]);
        $values = static fn (ValueBound $bound, string $name): array
            => array_map(static fn (string $value): string => $bound->take($name, $value), ['a', '12', 'b', 'a', 'c']);
        self::assertSame(['a', '12', '(other)', 'a', '(other)'], $values($bound, 'shard'));
        self::assertSame(['a', '12', 'b', 'a', '(other)'], $values($bound, 'route'));
        self::assertSame([3, 0], [$bound->takeOthers(), $bound->takeOthers()]);
        $later = new ValueBound(['' => 2], $bound->values());
        self::assertSame(['(other)', '12'], [$later->take('shard', 'new'), $later->take('shard', '12')]);
    }
}

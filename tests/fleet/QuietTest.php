<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Question\Regression;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Tools\Servers\ClickHouse;

require_once __DIR__ . '/FleetTestCase.php';
require_once __DIR__ . '/QuietFleet.php';

/**
 * Where nothing changes nobody is called: each day's release is compared with that of the day before, two, six and 24 hours after
 * it came. QUIET_DAYS=20 is how many days, QUIET_SEED=2 another fleet.
 */
final class QuietTest extends FleetTestCase
{
    private const HOURS = [2, 6, 24];

    public function testAReleaseThatIsAsTheOneBeforeIsNoNews(): void
    {
        $days = max(1, (int) (getenv('QUIET_DAYS') ?: 2));
        $quiet = new QuietFleet($this->keeping(), max(1, (int) (getenv('QUIET_SEED') ?: 1)), $days + 1);
        $quiet->fill();
        $alarms = [];
        for ($day = 0; $day < $days; $day++) {
            foreach (self::HOURS as $hours) {
                $report = $this->compared($quiet, $day, $hours);
                self::assertSame([320, []], [$report->tested, $report->short]);
                self::assertSame(0, $report->faster);
                foreach ($report->slower as $one) {
                    $alarms[] = "day $day, after $hours hours: $one->route, function $one->fn";
                }
            }
        }
        self::assertSame([], $alarms);
    }

    public function testAFifthMoreIsNewsFromTheSecondHourOnAndOnce(): void
    {
        $quiet = new QuietFleet($this->keeping(), 7, 3, slowerOn: 1);
        $quiet->fill();
        foreach (self::HOURS as $hours) {
            $slower = $this->compared($quiet, 0, $hours)->slower;
            self::assertSame([QuietFleet::SLOWER], array_map(
                static fn (Regression $one): array => [$one->route, $one->fn],
                $slower,
            ), "$hours hours");
            // Those hours are up to a twentieth slower or faster than the same ones of the day before.
            self::assertEqualsWithDelta(1.2, $slower[0]->after / $slower[0]->before, 0.08);
        }
        self::assertSame([], $this->compared($quiet, 1, 24)->slower);
    }

    private function compared(QuietFleet $quiet, int $day, int $hours): RegressionReport
    {
        $which = new Selection(QuietFleet::SERVICE, to: $quiet->released($day + 1) + 3600 * $hours);

        return (new Regressions($this->client('reader')))
            ->between($which, $quiet->release($day), $quiet->release($day + 1), SampledClock::Wall);
    }

    /** A store that keeps figures of 10 minutes for good. */
    private function keeping(): Client
    {
        $to = new Destination(self::server()->url($this->database), 'admin', ClickHouse::USERS['admin'], timeout: 600.0);
        $client = Client::fromDestination($to);
        (new Migrations($client, new Ddl(days: ['10m' => 0])))->init();

        return $client;
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\AutomaticRuns;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';

/** `xhprof requests`: what all requests took, by route. */
final class RequestsCommandTest extends CliTestCase
{
    public function testRoutesWithTheirPercentiles(): void
    {
        AutomaticRuns::build($this->store()->directory());
        $result = $this->xhprof(['requests'], '', ['COLUMNS' => '200']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $moment = '2025-11-\d\d [\d:]+';
        self::assertMatchesRegularExpression("/^[\d ]+ requests, $moment to $moment \(UTC\)$/m", $result->out);
        $columns = 'median +p90 +p95 +p99 +p99.9 +slowest .* total +after +cut +mixed +no samples +route';
        self::assertMatchesRegularExpression("/^requests +per second .*$columns$/m", $result->out);
        self::assertMatchesRegularExpression('~ kept .*\n.* 48\.0 KB .* GET /search$~m', $result->out);
        self::assertMatchesRegularExpression('~ -512 B .* POST /cart$~m', $result->out);
        self::assertMatchesRegularExpression('~ allocated +held +kept .*\n~', $result->out);
        self::assertMatchesRegularExpression('~ 40\.0 MB +12\.0 MB +48\.0 KB .* GET /search$~m', $result->out);
        self::assertMatchesRegularExpression('~ 5\.00 MB +0 B +-512 B .* POST /cart$~m', $result->out);
        self::assertMatchesRegularExpression('~ - +- +- .* GET /orders/\{id\}$~m', $result->out, 'not known is not 0');
        $byAllocated = $this->xhprof(['requests', '--sort=allocated', '--json'])->json();
        self::assertSame(['GET /search', 'POST /cart', 'GET /'], array_slice(array_column($byAllocated['routes'], 'route'), 0, 3));
        $byHeld = $this->xhprof(['requests', '--sort=held', '--json'])->json();
        self::assertSame(['GET /search', 'GET /', 'POST /cart'], array_slice(array_column($byHeld['routes'], 'route'), 0, 3));
        $byKept = $this->xhprof(['requests', '--sort=kept', '--limit=1', '--json'])->json();
        self::assertSame(['GET /search'], array_column($byKept['routes'], 'route'));
        $narrow = $this->xhprof(['requests'], '', ['COLUMNS' => '60'])->out;
        self::assertLessThanOrEqual(60, self::widestLine((string) strstr($narrow, "\n")), 'all but the heading');
        self::assertMatchesRegularExpression('/^requests +.*p99 +.*route$/m', $narrow);
        foreach (array_keys(AutomaticRuns::ROUTES) as $route) {
            self::assertStringContainsString($route, $result->out);
        }
        self::assertStringContainsString('1 of ', $this->xhprof(['requests', '--limit=1'])->out);
    }

    /** Of processes that are too short for a window, of one that forks, of one that is killed. */
    public function testRequestsThatWaitAreCounted(): void
    {
        self::needExtension();
        mkdir("$this->folder/runs");
        $settings = ['start_with_request=yes', 'mode=aggregate', 'flush_seconds=3600', "output_dir=$this->folder/runs"];
        $module = self::ROOT . '/extension/modules/xhprof.so';
        $php = [PHP_BINARY, ...(extension_loaded('xhprof') ? [] : ['-d', "extension=$module"])];
        foreach ($settings as $setting) {
            array_push($php, '-d', "xhprof.$setting");
        }
        $spans = 'foreach (["a", "b"] as $job) { xhprof_begin_span($job); xhprof_end_span(); }';
        $programs = [
            ['usleep(1000);', 1], ['usleep(1000);', 1], ['exit(3);', 1],
            ['if (pcntl_fork() === 0) { exit(0); } pcntl_wait($status);', 2],
            [$spans, 3],
            ["$spans posix_kill(posix_getpid(), SIGKILL);", 2],
        ];
        $expected = 0;
        foreach ($programs as [$code, $requests]) {
            $this->process([...$php, $this->script($code)]);
            $expected += $requests;
            $found = $this->xhprof(['requests', '--json'])->json();
            // At the end of a window, which comes once an hour, some are saved.
            self::assertSame($expected, $found['requests'] + $found['waiting'], $code);
            self::assertSame($found['waiting'], $this->xhprof(['list', '--json'])->json()['requests_waiting']);
        }
        if ($found['requests'] === 0) {
            $words = "No window of requests is saved yet.\n10 requests wait to be saved: ";
            self::assertStringStartsWith($words, $this->xhprof(['requests'])->out);
            self::assertStringContainsString("\n10 requests wait to be saved: ", $this->xhprof(['list'])->out);
            self::assertMatchesRegularExpression('/^ok  spool of auto: \d requests, written /m', $this->xhprof(['status'])->out);
        }
        // Whatever else is in such files counts for nothing.
        foreach (glob("$this->folder/runs/.xhprof-aggregate.*.{spool,journal}", GLOB_BRACE) ?: [] as $file) {
            file_put_contents($file, substr((string) file_get_contents($file), 0, 64) . str_repeat("\xff", 1000));
        }
        file_put_contents("$this->folder/runs/.xhprof-aggregate.x.spool", 'XSPOOL02' . str_repeat("\xff", 4096));
        symlink('/etc/passwd', "$this->folder/runs/.xhprof-aggregate.y.spool");
        self::assertSame(0, $this->xhprof(['requests', '--json'])->json()['waiting']);
    }

    public function testJsonHasAllFiguresOfEachRoute(): void
    {
        AutomaticRuns::build($this->store()->directory());
        $all = $this->xhprof(['requests', '--json', '--sort=p99', '--limit=0'])->json();
        $slow = array_column(array_column($all['routes'], 'wall_us'), 'p99');
        $sorted = $slow;
        rsort($sorted);
        self::assertSame($sorted, $slow);
        self::assertSame($all['requests'], array_sum(array_column($all['routes'], 'requests')));
        self::assertCount($all['routes_total'], $all['routes']);
        $totals = $this->store()->catalog()->requestTotals(new RunQuery(start: 'aggregate'));
        foreach ($all['routes'] as $route) {
            $figures = $totals->figures($route['route']);
            self::assertSame($figures->wallQuantile(0.99), $route['wall_us']['p99']);
            self::assertSame([$figures->requests, $figures->max], [$route['requests'], $route['wall_us']['max']]);
            self::assertSame(AutomaticRuns::KEPT[$route['route']] ?? null, $route['kept_bytes']['mean']);
            self::assertSame($figures->keptRequests, $route['kept_bytes']['requests']);
            $of = AutomaticRuns::ALLOCATED[$route['route']] ?? [null, null];
            self::assertSame($of, [$route['allocated_bytes']['mean'], $route['held_bytes']['mean']]);
            $sum = $of[0] === null ? null : $of[0] * $figures->allocations->requests;
            self::assertSame($sum, $route['allocated_bytes']['total']);
            self::assertSame($figures->allocations->requests, $route['held_bytes']['requests']);
            $after = ['requests' => $figures->early, 'mean' => $figures->meanAfter(), 'total' => $figures->after];
            self::assertSame($after, $route['after_us']);
            $unsampled = ['requests' => $figures->unsampled, 'total' => $figures->unsampledTime];
            self::assertSame([$figures->cut, $figures->mixed], [$route['cut'], $route['mixed']]);
            self::assertSame($unsampled, $route['unsampled_us']);
        }
        $early = array_map(static fn(int $number): int => 2 + $number % 4, range(2, AutomaticRuns::WINDOWS));
        self::assertSame(array_sum($early), array_sum(array_column(array_column($all['routes'], 'after_us'), 'requests')));
        $windows = AutomaticRuns::WINDOWS - 1;
        self::assertSame([2 * $windows, $windows, 3 * $windows], [
            array_sum(array_column($all['routes'], 'cut')),
            array_sum(array_column($all['routes'], 'mixed')),
            array_sum(array_column(array_column($all['routes'], 'unsampled_us'), 'requests')),
        ]);
        $one = $this->xhprof(['requests', '--json', '--route=GET /search'])->json();
        self::assertSame(['GET /search'], array_column($one['routes'], 'route'));
        $windows = $this->xhprof(['requests', '--json', '--from=2025-11-21'])->json();
        self::assertLessThan($all['requests'], $windows['requests']);
    }

    public function testMistakesAndFoldersWithoutWindowsHaveASentence(): void
    {
        self::assertUsageError('--sort takes one of total, requests', $this->xhprof(['requests', '--sort=x']));
        self::assertUsageError('--from takes something like 2026-11-21, not "soon"', $this->xhprof(['requests', '--from=soon']));
        self::assertStringContainsString('No requests were counted.', $this->xhprof(['requests'])->out);
        AutomaticRuns::build($this->store()->directory());
        self::assertStringContainsString('No requests of this route', $this->xhprof(['requests', '--route=GET /none'])->out);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\PlantedWindows;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';
require_once __DIR__ . '/../lib/Support/PlantedWindows.php';

/** `xhprof requests`: what all requests took, by route. */
final class RequestsCommandTest extends CliTestCase
{
    public function testRoutesAreSortedByMemory(): void
    {
        AutomaticRuns::build($this->store()->directory());
        $byAllocated = $this->xhprof(['requests', '--sort=allocated', '--json'])->json();
        self::assertSame(['GET /search', 'POST /cart', 'GET /'], array_slice(array_column($byAllocated['routes'], 'route'), 0, 3));
        $byHeld = $this->xhprof(['requests', '--sort=held', '--json'])->json();
        self::assertSame(['GET /search', 'GET /', 'POST /cart'], array_slice(array_column($byHeld['routes'], 'route'), 0, 3));
        $byKept = $this->xhprof(['requests', '--sort=kept', '--limit=1', '--json'])->json();
        self::assertSame(['GET /search'], array_column($byKept['routes'], 'route'));
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

    /** Windows at noon of the last days, each with as many requests as the day is away. */
    public function testYesterdayInOneCommand(): void
    {
        mkdir("$this->folder/runs");
        do {
            $day = date('Y-m-d');
            exec('rm -rf ' . escapeshellarg("$this->folder/runs") . '/*');
            for ($away = 1; $away < 4; $away++) {
                $routes = [
                    'GET /fast' => PlantedWindows::requests(3 * $away, 1000), 'GET /slow' => PlantedWindows::requests($away, 9000),
                ];
                PlantedWindows::write("$this->folder/runs", (int) strtotime("$day 12:00 -$away days"), $routes);
            }
            $worst = $this->xhprof(['requests', '--last=yesterday', '--sort=p95', '--limit=1', '--json'])->json();
            $days = $this->xhprof(['requests', '--from=yesterday', '--to=yesterday', '--json'])->json();
        } while ($day !== date('Y-m-d'));
        self::assertSame([4, 'yesterday'], [$worst['requests'], $worst['range']['label']]);
        self::assertSame('GET /slow', $worst['routes'][0]['route']);
        self::assertSame(date_default_timezone_get(), $worst['range']['zone']);
        self::assertSame(4, $days['requests']);
        self::assertSame(60, $worst['seconds'], 'a rate is over the time that has windows');
        self::assertEqualsWithDelta(4 / 60, $worst['requests'] / $worst['seconds'], 0.0001);
    }

    public function testWhatIfAFunctionTookNoTime(): void
    {
        mkdir("$this->folder/runs");
        $requests = PlantedWindows::requests(20, 100000, ['query' => 0.8, 'render' => 0.2]);
        $others = PlantedWindows::requests(2, 100000);
        PlantedWindows::write("$this->folder/runs", 1790000000, ['GET /a' => $requests, 'GET /b' => $others]);
        $found = $this->xhprof(['requests', '--without=query', '--route=GET /a', '--json'])->json();
        self::assertSame(['GET /a'], array_column($found['routes'], 'route'));
        self::assertEqualsWithDelta(20000, $found['routes'][0]['p95_left'], 800);
        self::assertEqualsWithDelta(100000, $found['routes'][0]['p95'], 2000);
        self::assertSame(['query'], $found['without']);
        self::assertEquals([2000000, 400000], [$found['totals'][0]['total'], $found['totals'][0]['left']]);
        $text = $this->xhprof(['requests', '--without=query'])->out;
        self::assertStringContainsString('Percentiles are an estimate', $text);
        self::assertUsageError('--last takes 1h, 2d', $this->xhprof(['requests', '--last=2x']));
        self::assertUsageError('ends before it begins', $this->xhprof(['requests', '--from=2026-01-02', '--to=2026-01-01']));
        $unknown = $this->xhprof(['requests', '--without=qurey']);
        self::assertStringContainsString('did you mean "query"?', $unknown->err);
        $none = $this->xhprof(['requests', '--without=query', '--from=2030-01-01']);
        self::assertUsageError('no requests in this range of time', $none);
        self::assertStringContainsString('The nearest: ', $none->err);
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

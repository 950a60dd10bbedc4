<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use XHProf\Bench\WordPress;
use XHProf\Functions\FlatReport;
use XHProf\Owners\GroupBy;
use XHProf\Owners\GroupedRun;
use XHProf\Owners\Grouping;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Folder;

require_once __DIR__ . '/ServerTestCase.php';
require_once __DIR__ . '/../../benchmarks/src/autoload.php';

/** Which plug-in of WordPress takes the time: two of known work, one that computes and calls the hook of one that waits. */
final class PluginsTest extends ServerTestCase
{
    public function testEachPluginHasItsOwnWork(): void
    {
        [$run, $noted] = self::profiled('exact');
        $grouped = GroupedRun::of($run, new Grouping(GroupBy::Plugin));
        self::assertInstanceOf(GroupedRun::class, $grouped);
        $groups = FlatReport::compute($grouped->profile(), true)->rows();
        self::assertSame(['WordPress', 'busy-loops', 'slow-waits'], array_values(array_intersect(
            ['(unknown)', 'WordPress', 'busy-loops', 'slow-waits'],
            array_keys($groups),
        )));
        $themes = preg_grep('/^twenty\w+ \(theme\)$/', array_keys($groups)) ?: [];
        self::assertNotSame([], $themes);
        // All groups together are the run.
        foreach ($run->profile()->metrics() as $metric) {
            $own = array_map(static fn (array $row): int => self::whole($metric, $row["excl_$metric"] ?? 0), $groups);
            self::assertSame(self::whole($metric, $run->profile()->total($metric)), array_sum($own), $metric);
        }
        // The planted calls; those of the closure and of PHP's own functions too.
        self::assertSame(
            ['array_map' => 1, 'busy_note' => 1, 'busy_step' => 400, 'hash' => 120000, 'range' => 1],
            self::calls($run, 'busy-loops', ['busy_step', 'hash', 'array_map', 'range', 'busy_note', 'usleep', 'mysqli_query']),
        );
        self::assertSame(
            ['mysqli_query' => 5, 'slow_waits_nap' => 20, 'usleep' => 20],
            self::calls($run, 'slow-waits', ['slow_waits_nap', 'usleep', 'mysqli_query', 'hash', 'busy_step']),
        );
        // What it takes is what its functions take themselves, with PHP's that it calls.
        foreach (['busy-loops', 'slow-waits'] as $plugin) {
            $own = self::whole('wt', $groups[$plugin]['excl_wt'] ?? 0);
            self::assertSame(self::ofFiles($run, "/plugins/$plugin/"), $own, $plugin);
        }
        if (getenv('XHPROF_TEST_TIMES') !== false) {
            self::printTimes($groups, $noted);
        }
    }

    public function testWindowsShowPluginsToo(): void
    {
        [$run] = self::profiled('aggregate');
        $rows = FlatReport::compute(GroupedRun::of($run, new Grouping(GroupBy::Plugin))->profile(), true)->rows();
        // Both take some 50 ms: samples of them are there, whatever the machine does. Routes are WordPress'.
        self::assertSame([], array_diff(['WordPress', 'busy-loops', 'slow-waits'], array_keys($rows)));
        self::assertSame([], preg_grep('/^GET |unknown/', array_keys($rows)));
        $samples = array_sum(array_map(static fn (array $row): int|float => $row['ct'], $rows));
        self::assertSame($run->profile()->total('ct'), $samples);
    }

    /** @return array{Run, array<string, int>} a request, and the nanoseconds that its plug-ins have noted */
    private static function profiled(string $mode): array
    {
        self::needExtension();
        if (WordPress::missing() !== null) {
            self::markTestSkipped(WordPress::missing());
        }
        $wordpress = new WordPress();
        $folder = new Folder();
        $notes = "$folder->path/notes";
        $settings = [
            ...$wordpress->settings(), 'xhprof.start_with_request=yes', "xhprof.mode=$mode", 'xhprof.flush_seconds=86400',
            'xhprof.sample_us=1000', 'memory_limit=256M', 'error_reporting=0',
        ];
        $server = new DevServer(
            self::loaded($settings),
            environment: ['XHPROF_TEST_NOTES' => $notes] + $wordpress->environment(),
            script: __DIR__ . '/owners/wordpress.php',
        );
        $answer = $server->client->get('/');
        self::assertSame(200, $answer->status, $answer->body . $server->errors());
        $server->stop();
        $runs = self::wholeRuns($server->runs());
        self::assertCount(1, $runs);
        $noted = [];
        foreach (file($notes, FILE_IGNORE_NEW_LINES) ?: [] as $line) {
            [$plugin, $ns] = explode(' ', $line) + [1 => '0'];
            $noted[$plugin] = (int) $ns;
        }
        self::assertSame(['slow-waits', 'busy-loops'], array_keys($noted));
        $run = (new RunFolder($server->runs()))->open(RunId::fromStrings((string) $runs[0]->id, self::SOURCE));
        self::assertNotNull($run->tree());

        return [$run, $noted];
    }

    /**
     * @param list<string> $functions
     *
     * @return array<string, int|float> calls of those that the functions of a plug-in are among
     */
    private static function calls(Run $run, string $plugin, array $functions): array
    {
        $one = GroupedRun::of($run, new Grouping(GroupBy::Plugin, one: $plugin));
        $rows = array_intersect_key(FlatReport::compute($one->profile(), true)->rows(), array_flip($functions));
        ksort($rows);

        return array_map(static fn (array $row): int|float => $row['ct'], $rows);
    }

    /** @return int nanoseconds of the functions of files, and of PHP's own ones below them */
    private static function ofFiles(Run $run, string $part): int
    {
        $tree = $run->tree() ?? throw new \LogicException('a run without a call tree');
        $sum = 0;
        $isOpen = [];
        foreach ($tree->fn as $node => $fn) {
            $place = $tree->places->at($fn);
            $depth = $tree->depth[$node];
            $isOpen[$depth] = $place === null || $place->extension() !== null
                ? $isOpen[$depth - 1] ?? false
                : str_contains($place->file, $part);
            $sum += $isOpen[$depth] ? $tree->self['wt'][$node] : 0;
        }

        return $sum;
    }

    /** Times of profiles are microseconds. */
    private static function whole(string $metric, int|float $value): int
    {
        return (int) round($value * (Metrics::isTime($metric) ? 1000 : 1));
    }

    /**
     * Prints the times of the plug-ins beside those that they measured themselves: for a person, no test judges times.
     *
     * @param array<string, array<string, int|float>> $groups
     * @param array<string, int> $noted
     */
    private static function printTimes(array $groups, array $noted): void
    {
        foreach ($noted as $plugin => $ns) {
            $own = self::whole('wt', $groups[$plugin]['excl_wt'] ?? 0);
            $text = "\n%s: %.3f ms itself, %.3f ms measured, %+.2f %%\n";
            fprintf(STDERR, $text, $plugin, $own / 1e6, $ns / 1e6, 100 * ($own / $ns - 1));
        }
    }
}

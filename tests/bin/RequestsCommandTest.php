<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Tests\Lib\Support\AutomaticRuns;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';

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

    public function testMistakesAndFoldersWithoutWindowsHaveASentence(): void
    {
        self::assertUsageError('--sort takes one of total, requests', $this->xhprof(['requests', '--sort=x']));
        self::assertUsageError('--from takes something like 2026-11-21, not "soon"', $this->xhprof(['requests', '--from=soon']));
        self::assertStringContainsString('No requests were counted.', $this->xhprof(['requests'])->out);
        AutomaticRuns::build($this->store()->directory());
        self::assertStringContainsString('No requests of this route', $this->xhprof(['requests', '--route=GET /none'])->out);
    }
}

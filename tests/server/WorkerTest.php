<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunMeta;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\Site;
use XHProf\Tools\Servers\Worker;

require_once __DIR__ . '/ServerTestCase.php';

/** Several workers of a queue at once, one run folder, a span for every job. */
final class WorkerTest extends ServerTestCase
{
    private Folder $folder;

    protected function setUp(): void
    {
        self::needExtension();
        $this->folder = new Folder();
        Site::prepare($this->folder);
    }

    /** @return iterable<string, array{list<string>}> settings */
    public static function modes(): iterable
    {
        yield 'exact' => [['xhprof.mode=exact', 'xhprof.start_with_request=yes']];
        yield 'sample' => [['xhprof.mode=sample', 'xhprof.start_with_request=yes', 'xhprof.sampling_interval=1000']];
    }

    /** @param list<string> $settings */
    #[DataProvider('modes')]
    public function testARunForEveryJob(array $settings): void
    {
        $workers = [];
        for ($i = 0; $i < 3; $i++) {
            $workers[] = new Worker($this->folder, self::loaded($settings), 40, 1);
        }
        $ids = [];
        foreach ($workers as $worker) {
            $end = $worker->finish();
            self::assertSame(0, $end->status, implode("\n", $end->lines));
            self::assertCount(41, $end->lines);
            array_push($ids, ...array_slice($end->lines, 0, 40));
        }
        $runs = $this->runsOfSpans();
        self::assertEqualsCanonicalizing($ids, array_map(static fn(RunMeta $run): ?string => $run->id, $runs));
        $names = array_count_values(array_map(static fn(RunMeta $run): string => (string) $run->origin->name, $runs));
        self::assertEquals(['prices 0' => 42, 'prices 1' => 39, 'prices 2' => 39], $names);
        foreach ($runs as $run) {
            self::assertSame('span', $run->recording->start);
            self::assertArrayHasKey('job', $run->meta);
        }
    }

    public function testOneRunAWindowForAllWorkers(): void
    {
        $settings = self::loaded(['xhprof.mode=aggregate', 'xhprof.sampling_interval=1000', 'xhprof.flush_seconds=1']);
        $workers = [];
        $began = time();
        for ($i = 0; $i < 3; $i++) {
            $workers[] = new Worker($this->folder, $settings, 200, 5);
        }
        foreach ($workers as $worker) {
            $end = $worker->finish();
            self::assertSame(0, $end->status, implode("\n", $end->lines));
        }
        self::nextProcess($this->folder, 1);
        $runs = self::wholeRuns("{$this->folder->path}/runs");
        self::assertLessThanOrEqual(2 * (time() - $began + 1), count($runs));
        $jobs = 0;
        $named = ['prices 0' => 0, 'prices 1' => 0, 'prices 2' => 0];
        foreach ($runs as $run) {
            $jobs += $run->window->requests ?? 0;
            foreach ($run->window?->routes() ?? [] as $route) {
                $named[$route] = ($named[$route] ?? 0) + ($run->window?->routeStats($route)->requests ?? 0);
            }
        }
        self::assertContains($jobs, [600, 601]);
        self::assertSame([201, 201, 198], [$named['prices 0'], $named['prices 1'], $named['prices 2']]);
    }

    public function testAWorkerDoesNotGrow(): void
    {
        $end = (new Worker($this->folder, self::loaded(['xhprof.start_with_request=yes', 'xhprof.max_runs=30']), 2000))->finish();
        self::assertSame(0, $end->status);
        [$before, $after] = explode(' ', $end->lines[2000]);
        self::assertLessThan(256, (int) $after - (int) $before, 'kB more than after a tenth of the jobs');
        self::assertLessThanOrEqual(32, count(self::wholeRuns("{$this->folder->path}/runs")));
    }

    /** The stop that a queue's supervisor makes at every deployment. */
    public function testSigtermInAJob(): void
    {
        $workers = [];
        for ($i = 0; $i < 3; $i++) {
            $workers[] = new Worker($this->folder, self::loaded(['xhprof.start_with_request=yes']), 1000, 20);
        }
        foreach ($workers as $worker) {
            self::eventually(static fn(): bool => count($worker->lines()) >= 3, 'the worker does not work');
        }
        $done = 0;
        foreach ($workers as $worker) {
            $worker->signal(SIGTERM);
        }
        foreach ($workers as $worker) {
            $end = $worker->finish();
            self::assertSame(-SIGTERM, $end->status, implode("\n", $end->lines));
            $done += count($end->lines);
        }
        $runs = $this->runsOfSpans();
        // One may have been between two jobs.
        self::assertGreaterThanOrEqual($done + 1, count($runs));
        self::assertLessThanOrEqual($done + 3, count($runs));
    }

    /**
     * Without the runs of the workers' time before their first job.
     *
     * @return list<RunMeta>
     */
    private function runsOfSpans(): array
    {
        $runs = self::wholeRuns("{$this->folder->path}/runs");
        return array_values(array_filter($runs, static fn(RunMeta $run): bool => $run->recording->start === 'span'));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\Run;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** `xhprof run --sample`, and lists and reports of runs that settings started. */
final class SampleCommandTest extends CliTestCase
{
    /** Works for some 150 ms of CPU time, half of it in hash(). */
    private const WORK = <<<'PHP'
        function work(): int {
            $sum = 0;
            $until = hrtime(true) + 150000000;
            while (hrtime(true) < $until) {
                for ($i = 0; $i < 2000; $i++) {
                    $sum += $i % 7;
                }
                $sum += strlen(hash('sha256', str_repeat('x', 200000)));
            }
            return $sum;
        }
        echo work() > 0 ? "done\n" : '';
        exit(3);
        PHP;

    public function testSamplesByWallClock(): void
    {
        self::needExtension();
        $result = $this->xhprof(['run', '--sample', $this->script(self::WORK), '--sample=7'], '', ['COLUMNS' => '200']);
        self::assertSame([3, "done\n"], [$result->exitCode, $result->out], $result->err);
        self::assertMatchesRegularExpression('/^\d+ samples?, one per 1\.00 ms of wall time/m', $result->err);
        self::assertMatchesRegularExpression('/^excl wall +% +incl wall +% +self samples +function$/m', $result->err);
        self::assertMatchesRegularExpression('/ work$/m', $result->err);
        [$run] = $this->store()->list();
        $meta = $this->store()->open($run->id)->meta();
        self::assertSame([1000, 'wall'], [$meta->recording->sampleInterval, $meta->recording->sampling?->clock]);
        self::assertGreaterThan(3, $meta->recording->samples);
        self::assertTrue($this->store()->open($run->id)->has(Run::SAMPLES));
        $columns = $this->store()->open($run->id)->samples();
        self::assertNull($columns?->line);
        // Of the profiler's own functions only those that stop the sampling may be in samples.
        $ours = preg_grep('/Recorder|xhprof_/', $this->store()->open($run->id)->profile()->symbols()) ?: [];
        self::assertLessThanOrEqual(2, count($ours), implode(', ', $ours));

        $report = $this->xhprof(['report', 'latest', '--symbol=work'])->out;
        self::assertStringContainsString("\nself samples ", $report);
        self::assertMatchesRegularExpression('/one per 1\.00 ms of wall time/', $this->xhprof(['report'])->out);
        self::assertStringContainsString('work', $this->xhprof(['report', '--tree'])->out);
    }

    public function testSamplesByCpuClockWithLines(): void
    {
        self::needExtension();
        $arguments = ['run', '--sample=500us', '--clock=cpu', '--lines', '--json', "--report-to=$this->folder/report.json"];
        $result = $this->xhprof([...$arguments, $this->script(self::WORK)]);
        self::assertSame(3, $result->exitCode, $result->err);
        $json = json_decode((string) file_get_contents("$this->folder/report.json"), true);
        self::assertSame(['cpu'], is_array($json) ? $json['metrics'] : $result->err);
        [$run] = $this->store()->list();
        $meta = $this->store()->open($run->id)->meta();
        self::assertSame([500, 'cpu'], [$meta->recording->sampleInterval, $meta->recording->sampling?->clock]);
        $lines = $this->store()->open($run->id)->samples()?->line;
        self::assertNotNull($lines);
        // work() is on the lines 2 to 12 of the script.
        $met = array_filter($lines, static fn (int $line): bool => $line >= 2 && $line <= 12);
        self::assertNotSame([], $met);
        self::assertSame(['cpu'], $this->store()->open($run->id)->profile()->metrics());
    }

    /** @return array<string, array{list<string>, string}> */
    public static function mistakes(): array
    {
        return [
            'too often' => [['--sample=10us'], '--sample takes a time from 100us to 60s'],
            // 500 µs, as xhprof.sample_interval has it, or ms?
            'no unit' => [['--sample=500'], 'like --sample=1ms or --sample=500us, not "500"'],
            'no time' => [['--sample=often'], '--sample takes a time from 100us to 60s, like --sample=1ms or'],
            'an unknown clock' => [['--sample', '--clock=sun'], '--clock takes wall or cpu, not "sun"'],
            'a clock for nothing' => [['--clock=cpu'], '--clock needs --sample'],
            'lines of nothing' => [['--lines'], '--lines needs --sample'],
            'calls too' => [['--sample', '--cpu'], '--sample and --cpu exclude each other'],
            'memory too' => [['--sample', '--alloc'], '--sample and --alloc exclude each other'],
            'flags too' => [['--sample', '--flags=2'], '--sample and --flags exclude each other'],
            'an order that is not there' => [['--sample', '--clock=cpu', '--sort=wt'], 'this run has no "wt" to sort by', 1],
        ];
    }

    /** @param list<string> $options */
    #[DataProvider('mistakes')]
    public function testMistakes(array $options, string $why, int $exitCode = 2): void
    {
        self::assertOneLineError($why, $this->xhprof(['run', ...$options, $this->script('exit(7);')]), $exitCode);
        self::assertSame([], $this->store()->list());
    }

    public function testLists(): void
    {
        AutomaticRuns::build("$this->folder/runs");
        $ids = fn (string ...$options): array => array_column(
            $this->xhprof(['list', '--json', '--limit=3', ...array_values($options)])->json()['runs'],
            'id',
        );
        self::assertSame([AutomaticRuns::TRIGGERED, AutomaticRuns::HOSTILE, AutomaticRuns::SAMPLED], $ids('--start=trigger'));
        self::assertSame([AutomaticRuns::SPAN], $ids('--start=span'));
        self::assertSame([AutomaticRuns::TRIGGERED], $ids('--status=503'));
        self::assertSame(
            [AutomaticRuns::TRIGGERED, AutomaticRuns::CPU, AutomaticRuns::SAMPLED],
            $ids('--slowest', '--source=' . AutomaticRuns::SOURCE),
        );
        self::assertSame([AutomaticRuns::SPAN], $ids('--route=App\Job\SendInvoice'));
        $windows = [AutomaticRuns::window(12), AutomaticRuns::window(11), AutomaticRuns::window(10)];
        self::assertSame($windows, $ids('--start=aggregate'));
        $out = $this->xhprof(['list', '--start=trigger'], '', ['COLUMNS' => '200'])->out;
        self::assertMatchesRegularExpression('~ triggered +POST /cart\?session=REDACTED +\(503\)~', $out);
        $narrow = $this->xhprof(['list'], '', ['COLUMNS' => '90'])->out; // ids of 32 characters
        self::assertMatchesRegularExpression('~ triggered +POST /car~m', $narrow, 'the URL keeps its room');
        self::assertMatchesRegularExpression('~, part  ~', $narrow);
        self::assertStringNotContainsString("\u{202E}", $out);
        self::assertUsageError('--start takes one of manual', $this->xhprof(['list', '--start=often']));
        self::assertUsageError('--status takes something like 404 or 5xx', $this->xhprof(['list', '--status=999']));
        self::assertUsageError('--slowest and --sort exclude', $this->xhprof(['list', '--slowest', '--sort=title']));
    }

    public function testReportsShowWhatStartedTheRun(): void
    {
        AutomaticRuns::build("$this->folder/runs");
        $report = fn (string $id): string => $this->xhprof(['report', $id], '', ['COLUMNS' => '200'])->out;
        self::assertStringContainsString("\nTriggered, answered with status 503\n", $report(AutomaticRuns::TRIGGERED));
        $part = 'a part: ended when the program started its own profile with xhprof_enable()';
        self::assertStringContainsString($part, $report(AutomaticRuns::PART));
        self::assertStringContainsString('fork of run ' . AutomaticRuns::PART, $report(AutomaticRuns::FORK));
        self::assertStringContainsString('App\Job\SendInvoice', $report(AutomaticRuns::SPAN));
        self::assertStringContainsString('hosen by rate: 1 of 100', $report(sprintf('a3%030x', 1)));
        $sampled = $report(AutomaticRuns::CPU);
        $lead = '481 samples, one per 1.00 ms of CPU time, in a run of 501 ms; 330 fell into calls that';
        self::assertStringContainsString($lead, $sampled);
        self::assertStringContainsString('481 ms CPU, 481 samples of 6 functions', $sampled);
        self::assertMatchesRegularExpression('/^ *30\.0 ms .* 30  .*App.Kernel::handle$/m', $sampled);
        self::assertMatchesRegularExpression('/^ *1\.00 ms .* 1  .*main\(\)$/m', $sampled);
        $arguments = ['report', AutomaticRuns::SAMPLED, '--symbol=App\Twig\Engine::render'];
        $lines = $this->xhprof($arguments, '', ['COLUMNS' => '200'])->out;
        self::assertMatchesRegularExpression("/^line +wall +% +its samples +PHP's +in$/m", $lines);
        self::assertMatchesRegularExpression('/^ 113  41\.0 ms  22\.8 % .* 41 *$/m', $lines);
        self::assertMatchesRegularExpression('/^ 118  30\.0 ms  16\.7 % .* 30  strlen$/m', $lines);
        $window = $report(AutomaticRuns::window(2));
        self::assertMatchesRegularExpression('/^[\d ]+ requests in 8 processes, from 20\S+ \S+ to \S+$/m', $window);
        $window = AutomaticRuns::window(2) . '.traffic';
        $lines = [1 => '1 request in 1 process, from 20', 0 => 'Samples of unfinished requests in 1 process, from 20'];
        foreach ($lines as $requests => $line) {
            RunFiles::change("$this->folder/runs", $window, 'meta', static function (array $meta) use ($requests): array {
                $meta['aggregate'] = ['requests' => $requests, 'processes' => 1] + $meta['aggregate'];

                return $meta;
            });
            self::assertStringContainsString("\n$line", $report(AutomaticRuns::window(2)));
        }
        $hostile = $report(AutomaticRuns::HOSTILE);
        self::assertStringNotContainsString("\x07", $hostile);
        self::assertStringContainsString('a part: ended when <b>ended</b>', $hostile);
    }
}

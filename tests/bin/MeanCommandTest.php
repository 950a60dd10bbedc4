<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

require_once __DIR__ . '/CliTestCase.php';

/** `xhprof mean`, and `xhprof report` of several runs. */
final class MeanCommandTest extends CliTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        foreach ([100, 110, 90, 105, 400] as $i => $wt) {
            $this->store()->save([
                'main()' => ['ct' => 1, 'wt' => 1000 + $wt],
                'main()==>f' => ['ct' => 2, 'wt' => $wt],
                'f==>f@1' => ['ct' => 1, 'wt' => 40],
            ] + ($i === 4 ? ['main()==>once' => ['ct' => 1, 'wt' => 1]] : []), 'cli', "run$i", ['command' => 'php job.php']);
        }
    }

    public function testTable(): void
    {
        $out = $this->xhprof(['mean', 'run0,run1', 'run2', 'run3,run4'], '', ['COLUMNS' => '80'])->out;

        self::assertMatchesRegularExpression('/^run4 \(cli\) +1\.40 ms +\d+ +outlier$/m', $out);
        self::assertMatchesRegularExpression('/^run0 \(cli\) +1\.10 ms +\d+ *$/m', $out);
        self::assertMatchesRegularExpression('/ 1\/5 +0\.200 +once$/m', $out);
    }

    public function testJson(): void
    {
        $json = $this->xhprof(['mean', 'run0,run1,run2,run3,run4', '--json', '--agg=median', '--sort=wt'])->json();
        self::assertSame(['main()', 'f', 'once'], array_column($json['functions'], 'name'));
        self::assertSame([5, 5, 1], array_column($json['functions'], 'n'));
        $f = $json['functions'][1]['stats'];
        self::assertSame([161, 105, 90, 400], [$f['wt']['mean'], $f['wt']['median'], $f['wt']['min'], $f['wt']['max']]);
        self::assertSame(3, $f['ct']['mean'], 'levels of recursion add up');
        self::assertSame([1100, 1110, 1090, 1105, 1400], $json['totals']['wt']['runs']);
        $old = $this->xhprof(['aggregate', 'run0,run1,run2,run3,run4', '--json', '--agg=median', '--sort=wt'])->json();
        self::assertSame($json, $old, 'the name in older versions');
        $levels = $this->xhprof(['mean', 'run0,run1', '--json', '--levels'])->json();
        self::assertContains('f@1', array_column($levels['functions'], 'name'));
        $asked = $this->xhprof(['mean', 'run0,run4', '--json', '--sort=cv_wt', '--dir=asc', '--q=N'])->json();
        self::assertSame([['main()', 'once'], 'cv_wt'], [array_column($asked['functions'], 'name'), $asked['sort']]);
    }

    public function testARunThatIsNamedTwiceIsOneOfTwiceTheWeight(): void
    {
        $json = $this->xhprof(['mean', 'run0,run4,run0', '--json'])->json();
        self::assertSame([1100, 1400], $json['totals']['wt']['runs']);
        self::assertSame([1200, ['run0 (cli)', 'run4 (cli)']], [$json['totals']['wt']['mean'], $json['runs']]);
        self::assertSame(200, $this->xhprof(['report', 'run0,run4,run0', '--json'])->json()['functions'][1]['wt'] ?? null);
        self::assertUsageError('a mean takes two runs or more', $this->xhprof(['mean', 'run0', 'run0']));
    }

    /** Calls, and samples of two distances: their sum says nothing, their mean is the same wherever it is shown. */
    public function testMeansOfSamplesAndCalls(): void
    {
        $samples = static fn (string $id, int $own, int $samples, int $interval): array
            => [[
                'main()' => ['ct' => $own, 'wt' => $samples * $interval],
                'main()==>f' => ['ct' => $samples - $own, 'wt' => ($samples - $own) * $interval],
            ], 'cli', $id, ['samples' => $samples, 'sample_interval_us' => $interval]];
        $this->store()->save(...$samples('fine', 10, 30, 1000));
        $this->store()->save(...$samples('rough', 1, 2, 20000));
        $cases = [
            ['run0,fine', 17, 11, 'calls / self samples'],
            ['fine,run0', 17, 11, 'calls / self samples'],
            ['fine,rough', 16, 10.5, 'self samples'],
            ['fine,run0,fine', 64 / 3, 14, 'calls / self samples'],
        ];
        foreach ($cases as [$runs, $total, $f, $label]) {
            $report = $this->xhprof(['report', $runs, '--json', '--sort=fn', '--levels'])->json();
            $mean = $this->xhprof(['mean', $runs, '--json', '--sort=fn', '--levels'])->json();
            self::assertEquals([$total, $f], [$report['totals']['ct'], $report['functions'][0]['ct']], $runs);
            self::assertEquals([$total, $f], [$mean['totals']['ct']['mean'], $mean['functions'][0]['stats']['ct']['mean']], $runs);
            self::assertStringContainsString($label, $this->xhprof(['report', $runs])->out);
            self::assertStringContainsString($label, $this->xhprof(['mean', $runs])->out);
        }
        self::assertStringContainsString('calls or samples', $this->xhprof(['diff', 'run0,fine', 'run1'])->out);
        self::assertStringContainsString('calls or samples', $this->xhprof(['diff', 'run1', 'run0,fine'])->out);
    }

    public function testTheMeanAsARun(): void
    {
        $out = $this->xhprof(['report', 'run0,run1,run4'])->out;
        self::assertStringContainsString("Mean of 3 runs  php job.php\n1.20 ms wall", $out);
        // One of three runs called it: a third of a call, not one.
        self::assertMatchesRegularExpression('/^ *333 ns .* 0\.333 .* once$/m', $out);
        $json = $this->xhprof(['report', 'run0,run1,run4', '--json'])->json();
        self::assertSame(203.333333, round($json['functions'][1]['excl_wt'], 6));
        self::assertSame(['run0 (cli)', 'run1 (cli)', 'run4 (cli)'], $json['run']['runs']);
    }

    public function testMistakes(): void
    {
        self::assertUsageError('two runs or more', $this->xhprof(['mean', 'run0']));
        self::assertUsageError('--agg takes one of', $this->xhprof(['mean', 'run0', 'run1', '--agg=typical']));
        self::assertOneLineError('no "cpu" to sort by', $this->xhprof(['mean', 'run0', 'run1', '--sort=cv_cpu']));
        self::assertOneLineError('no run', $this->xhprof(['mean', 'run0', 'run9']));
        self::assertUsageError('take one run', $this->xhprof(['report', 'run0,run1', '--tree']));
        self::assertOneLineError('names no run', $this->xhprof(['report', ',']));
    }

    public function testDigitsDoNotDependOnPhpIni(): void
    {
        $save = $this->script('require $argv[1] . "/xhprof_lib/autoload.php";
            foreach ([1100, 1110, 1400] as $i => $wt) {
                $tree = XHProf\Profile\CallTree::fromArray(["n" => 2, "names" => ["main()", "f"], "fn" => [0, 1], "depth" => [0, 1],
                    "ct" => [1, 1], "self" => ["wt" => [1_000_000, 1000 * $wt - 1_000_000]]]);
                $meta = ["ts" => 1796012345.678, "meta" => ["ratio" => 0.123456789]];
                (new XHProf\Store\RunFolder($argv[2]))->save($tree->toProfile(), "cli", "run$i", $meta, $tree);
            }
            echo ini_get("serialize_precision");');
        $texts = [];
        foreach (['-1', '5', '17'] as $precision) {
            $php = [PHP_BINARY, '-d', "serialize_precision=$precision"];
            $folder = "$this->folder/precision$precision";
            mkdir($folder, 0700);
            self::assertSame($precision, $this->process([...$php, $save, self::ROOT, $folder])->out);
            $xhprof = fn (string ...$arguments): string => $this->process(
                [...$php, self::program(), ...array_values($arguments)],
                '',
                ['XHPROF_OUTPUT_DIR' => $folder],
            )->out;
            $texts[$precision] = [
                'run' => (string) file_get_contents("$folder/run0.cli.run"),
                'mean' => $xhprof('mean', 'run0,run1,run2', '--json'),
                'export' => $xhprof('export', 'run0,run1,run2', '-f', 'json', '-o', '-'),
            ];
        }
        self::assertStringContainsString('"ts":1796012345.678,', $texts['-1']['run']);
        self::assertStringContainsString('203.33333333333334', $texts['-1']['mean']);
        self::assertStringContainsString('"total":{"ct":2,"wt":1203.3333333333333}', $texts['-1']['export']);
        self::assertSame($texts['-1'], $texts['5']);
        self::assertSame($texts['-1'], $texts['17']);
        $php = [PHP_BINARY, '-d', 'serialize_precision=5', '-d', 'disable_functions=ini_set'];
        $result = $this->process([...$php, $save, self::ROOT, "$this->folder/runs"]);
        self::assertSame([0, '5'], [$result->exitCode, $result->out], $result->err);
    }
}

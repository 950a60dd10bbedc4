<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

require_once __DIR__ . '/CliTestCase.php';

/** `xhprof diff`. */
final class DiffCommandTest extends CliTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 1000, 'mu' => 100],
            'main()==>same' => ['ct' => 1, 'wt' => 100, 'mu' => 10],
            'main()==>slower' => ['ct' => 2, 'wt' => 200, 'mu' => 10],
            'main()==>removed' => ['ct' => 3, 'wt' => 300, 'mu' => 10],
        ], 'cli', 'before');
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 1500, 'cpu' => 9, 'mu' => 90],
            'main()==>same' => ['ct' => 1, 'wt' => 100, 'cpu' => 1, 'mu' => 10],
            'main()==>slower' => ['ct' => 2, 'wt' => 900, 'cpu' => 1, 'mu' => 10],
            "main()==>added\xff" => ['ct' => 4, 'wt' => 100, 'cpu' => 1, 'mu' => 10],
        ], 'web', 'after');
    }

    public function testNamesOfAnyBytes(): void
    {
        $out = $this->xhprof(['diff', 'before', 'after'])->out;
        self::assertMatchesRegularExpression('/^ *\+100 µs .* \+4 +new +added\\\\xFF$/m', $out);
    }

    public function testSameRunHasNoChanges(): void
    {
        $result = $this->xhprof(['diff', 'before', 'before']);

        self::assertSame(0, $result->exitCode);
        self::assertStringContainsString("0 functions changed, 4 did not\n", $result->out);
    }

    public function testJson(): void
    {
        $diff = $this->xhprof(['diff', 'before', 'after', '--json', '--limit=2'])->json();
        self::assertSame(['wt', 'mu'], $diff['metrics'], 'the metrics both have');
        self::assertSame(['both', 'gone'], array_column($diff['functions'], 'status'));
        $found = $this->xhprof(['diff', 'before', 'after', '--json', '--q=SLOW'])->json();
        self::assertSame([['slower'], 5], [array_column($found['functions'], 'name'), $found['functions_total']]);
    }

    public function testSymbol(): void
    {
        $json = $this->xhprof(['diff', 'before', 'after', '--symbol=removed', '--json'])->json();
        self::assertSame('gone', $json['status']);
        self::assertOneLineError('neither run has', $this->xhprof(['diff', 'before', 'after', '--symbol=x']));
    }

    /** The extension cannot make such a run, but a folded or foreign one may have f@1 without f. */
    public function testRecursionLevelWithoutItsFunction(): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9], 'main()==>f@1' => ['ct' => 1, 'wt' => 5]], 'cli', 'odd');
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 9],
            'main()==>f' => ['ct' => 1, 'wt' => 7],
            'f==>f@1' => ['ct' => 1, 'wt' => 5],
        ], 'cli', 'usual');
        $result = $this->xhprof(['diff', 'before', 'odd']);

        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertMatchesRegularExpression('/ new ~ +f$/m', $result->out);
        $row = $this->xhprof(['diff', 'odd', 'usual', '--json'])->json()['functions'][0];
        self::assertSame(
            ['f', 'both', 5, 7, 2],
            [$row['name'], $row['status'], $row['a']['wt'], $row['b']['wt'], $row['delta']['wt']],
        );
        $symbol = $this->xhprof(['diff', 'odd', 'usual', '--symbol=f', '--json'])->json();
        self::assertSame(['both', 2], [$symbol['status'], $symbol['self']['delta']['wt']]);
        self::assertSame(1, $this->xhprof(['report', 'odd', '--symbol=f', '--json'])->json()['self']['ct']);
        self::assertOneLineError('no function "g"', $this->xhprof(['report', 'odd', '--symbol=g']));
    }

    /** CompareReportsTest has all that may be noted. */
    public function testRunsThatDoNotCompare(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 9, 'mu' => 3]];
        $this->store()->save($edges, 'cli', 'memory', ['flags' => 4, 'flag_names' => ['MEMORY']]);
        $edges['main()']['cpu'] = 1;
        $this->store()->save($edges, 'cli', 'both', ['flags' => 6, 'flag_names' => ['CPU', 'MEMORY']]);
        $flags = 'Recorded with different flags (CPU, MEMORY / MEMORY): times are not comparable';

        $out = $this->xhprof(['diff', 'both', 'memory'])->out;
        self::assertStringContainsString("\n$flags\nLeft out: CPU time (only in A)\n\n", $out);
        self::assertStringContainsString($flags, $this->xhprof(['diff', 'both', 'memory', '--symbol=main()'])->out);
        $notes = $this->xhprof(['diff', 'both', 'memory', '--json'])->json()['notes'];
        self::assertSame([$flags, 'Left out: CPU time (only in A)'], $notes);
    }

    /** Two versions of one program in two folders, the second with a comment of seven lines on top. */
    public function testAClosureIsTheSameAFewLinesLowerAndAScriptInAnotherFolder(): void
    {
        $this->versions();
        $json = $this->xhprof(['diff', 'first', 'second', '--json', '--limit=0'])->json();

        self::assertSame(['both'], array_values(array_unique(array_column($json['functions'], 'status'))));
        $before = array_filter(array_column($json['functions'], 'before', 'name'));
        ksort($before);
        self::assertSame([
            'Shop::{closure:r2/shop.php:13}' => 'Shop::{closure:r1/shop.php:6}',
            'Shop::{closure:r2/shop.php:14}' => 'Shop::{closure:r1/shop.php:7}',
            '{closure:r2/shop.php:17}' => '{closure:r1/shop.php:10}',
        ], array_diff_key($before, array_flip(['load::r2/shop.php', 'load::r2/part.php', 'run_init::r2/part.php'])));
        self::assertStringContainsString('matched although their names differ', $json['notes'][0]);

        $exact = $this->xhprof(['diff', 'first', 'second', '--json', '--limit=0', '--exact-names'])->json();
        $statuses = array_column($exact['functions'], 'status', 'name');
        self::assertSame(['gone', 'new'], [$statuses['{closure:r1/shop.php:10}'], $statuses['{closure:r2/shop.php:17}']]);
        self::assertSame([], $exact['notes']);

        $symbol = $this->xhprof(['diff', 'first', 'second', '--symbol={closure:r1/shop.php:10}', '--json'])->json();
        self::assertSame(['both', '{closure:r2/shop.php:17}'], [$symbol['status'], $symbol['symbol']]);
    }

    private function versions(): void
    {
        $program = <<<'PHP'
            final class Shop
            {
                public function total(array $prices): int
                {
                    $gross = array_map(static fn (int $p): int => abs($p) + 1, $prices);
                    return array_sum(array_filter($gross, static fn (int $p): bool => strlen((string) $p) > 0));
                }
            }
            usort($list, static fn (int $a, int $b): int => $a <=> $b);
            PHP;
        foreach (['first' => ['r1', 0], 'second' => ['r2', 7]] as $id => [$release, $lines]) {
            mkdir("$this->folder/$release");
            file_put_contents("$this->folder/$release/part.php", '<?php $list = range(9, 1);');
            $comment = str_repeat("// a line\n", $lines);
            file_put_contents("$this->folder/$release/shop.php", "<?php $comment"
                . "require __DIR__ . '/part.php';\n$program\necho (new Shop())->total(\$list);");
            $result = $this->xhprof(['run', '--source=versions', '--', "$this->folder/$release/shop.php"]);
            self::assertSame(0, $result->exitCode, $result->err);
            $saved = preg_match('/Saved as run ([0-9a-f]+)/', $result->err, $match) === 1 ? $match[1] : self::fail($result->err);
            foreach (glob("$this->folder/runs/$saved.*") ?: [] as $file) {
                rename($file, str_replace($saved, $id, $file));
            }
        }
    }

    /** Three runs before and after: f is twice as slow, g takes now more, now less. */
    private function sets(): void
    {
        $before = ['a1' => [100, 100], 'a2' => [102, 300], 'a3' => [101, 90]];
        $after = ['b1' => [200, 250], 'b2' => [198, 80], 'b3' => [202, 310]];
        foreach ($before + $after as $id => [$f, $g]) {
            $this->store()->save([
                'main()' => ['ct' => 1, 'wt' => 1000 + $f + $g],
                'main()==>f' => ['ct' => 1, 'wt' => $f],
                'main()==>g' => ['ct' => 1, 'wt' => $g],
            ], 'sets', $id);
        }
    }

    public function testTwoSetsOfRuns(): void
    {
        $this->sets();
        $out = $this->xhprof(['diff', 'a1,a2,a3', 'b1,b2,b3'])->out;
        self::assertMatchesRegularExpression('/which may be chance \(p = 0\.\d+\)/', $out);
        $json = $this->xhprof(['diff', 'a1,a2,a3', 'b1,b2,b3', '--json'])->json();
        self::assertSame(['f', 'g', 'main()'], array_column($json['functions'], 'name'));
        self::assertSame([null, 'chance', 'small'], array_column($json['functions'], 'noise'));
        self::assertLessThan(0.001, $json['functions'][0]['p']);
        self::assertGreaterThan(0.3, $json['functions'][1]['p']);
        self::assertSame(['a1 (sets)', 'a2 (sets)', 'a3 (sets)'], $json['a']['runs']);
        self::assertOneLineError('no run', $this->xhprof(['diff', 'a1,nothing', 'b1']));
    }

    public function testBudgetForContinuousIntegration(): void
    {
        $this->sets();
        $code = function (string $budget, string ...$arguments): int {
            $result = $this->xhprof(['diff', ...array_values($arguments), "--fail-over=$budget"]);
            $line = '/\Axhprof: (within|over) the budget[^\n]*; budget \+[0-9.]+ %\)\n\z/';
            self::assertMatchesRegularExpression($line, $result->err);

            return $result->exitCode;
        };
        self::assertSame(3, $code('5%', 'before', 'after'), '+50 %');
        self::assertSame(3, $code('49.9%', 'before', 'after'));
        self::assertSame(0, $code('50%', 'before', 'after'));
        self::assertSame(0, $code('0%', 'after', 'before'), 'less is never over');
        self::assertSame(0, $code('0%', 'before', 'after', '--sort=mu'));
        self::assertSame(3, $code('300%', 'before', 'after', '--symbol=slower'));
        self::assertSame(0, $code('5%', 'a1,a2,a3', 'b1,b2,b3'), '+11.8 %, but that may be chance');
        self::assertSame(3, $code('5%', 'a1,a2,a3', 'b1,b2,b3', '--symbol=f'));
        $line = $this->xhprof(['diff', 'before', 'after', '--fail-over=9%', '--sort=excl_wt', '--symbol=slower'])->err;
        self::assertStringStartsWith('xhprof: over the budget (exclusive wall time of slower: +350.0 %, from ', $line);
        $byName = $this->xhprof(['diff', 'before', 'after', '--fail-over=9%', '--sort=fn']);
        self::assertUsageError('--sort=fn sorts by name', $byName);
        $hints = ['much' => 'not "much"', '0.05' => 'write 0.05% or 5%', '5' => 'write 5% or 500%', '0' => ': write 0%'];
        foreach ($hints as $budget => $hint) {
            $wrong = $this->xhprof(['diff', 'before', 'after', "--fail-over=$budget"]);
            self::assertUsageError('takes a percentage', $wrong);
            self::assertStringContainsString($hint, $wrong->err);
        }
    }

    /** No view of a sampled run shows numbers of calls. */
    public function testSamplesAreNoCalls(): void
    {
        foreach (['s1' => 5, 's2' => 9] as $id => $count) {
            // Samples fall into main() and g; h is only on the path, which its edge counts as one.
            $us = 1000 * $count;
            $edges = ['main()' => ['ct' => 1, 'wt' => $us + 1000], 'main()==>h' => ['ct' => 1, 'wt' => $us]];
            $edges['h==>g'] = ['ct' => $count, 'wt' => $us];
            $this->store()->save($edges, 'drawn', $id, ['samples' => $count + 1, 'sample_interval_us' => 1000]);
        }
        $diff = $this->xhprof(['diff', 's1', 's2'])->out;
        self::assertMatchesRegularExpression('/^samples +6 +10 +\+4 /m', $diff);
        self::assertMatchesRegularExpression('/ self samples +function$/m', $diff);
        self::assertMatchesRegularExpression('/ \+4 +g$/m', $diff);
        $symbol = $this->xhprof(['diff', 's1', 's2', '--symbol=g'])->out;
        self::assertMatchesRegularExpression('/^self samples +5 +9 /m', $symbol);
        self::assertMatchesRegularExpression('/wall +called by$/m', $symbol);
        $mean = $this->xhprof(['mean', 's1', 's2'], '', ['COLUMNS' => '200'])->out;
        self::assertMatchesRegularExpression('/^samples +8 +8 /m', $mean);
        self::assertMatchesRegularExpression('/ self samples +function$/m', $mean);
        self::assertMatchesRegularExpression('/ 7 +g$/m', $mean);
        $onlyMet = $this->xhprof(['diff', 's1', 's2', '--symbol=h'])->out;
        self::assertMatchesRegularExpression('/^self samples +0 +0 /m', $onlyMet);
        $run = $this->xhprof(['report', 's1', '--symbol=g'])->out;
        self::assertMatchesRegularExpression('/^self samples +5 +83\.3 %/m', $run);
        $met = $this->xhprof(['report', 's1', '--symbol=h'])->out;
        self::assertMatchesRegularExpression('/^self samples +0 +0\.0 %/m', $met);
        $mean = $this->xhprof(['report', 's1,s2'])->out;
        self::assertMatchesRegularExpression('/, 8 samples of 3 functions$/m', $mean);
        self::assertMatchesRegularExpression('/ self samples +function$/m', $mean);
        $both = $this->xhprof(['diff', 's1', 'before'])->out;
        self::assertMatchesRegularExpression('/ calls \/ self samples +function$/m', $both);
        foreach ([$diff, $symbol, $onlyMet, $run, $met, $mean] as $out) {
            self::assertDoesNotMatchRegularExpression('/\bcalls\b(?! nothing| *$)/m', $out);
        }
        $dot = $this->xhprof(['export', 's1', '--format=dot', '--output=-'])->out;
        self::assertStringContainsString('Self:', $dot);
        self::assertDoesNotMatchRegularExpression('/\bcalls?\b/', $dot);
    }

    public function testTheSumInSentences(): void
    {
        $out = $this->xhprof(['diff', 'before', 'after'], '', ['COLUMNS' => '200'])->out;

        self::assertStringContainsString("\n+50.0 % (+500 µs) wall time: +700 µs in slower, -300 µs in removed."
            . " +14.3 % (+1) calls: +4 in added\\xFF, -3 in removed.\n", $out);
    }

    /** Two runs of one program, of which the machine took 28 ms of the second in md5(). */
    public function testWhatOnlyWallTimeShowsComesLast(): void
    {
        foreach (['calm' => [3000, 900], 'busy' => [31000, 1400]] as $id => [$md5, $work]) {
            $this->store()->save([
                'main()' => ['ct' => 1, 'wt' => $md5 + $work + 100, 'cpu' => 3000 + $work],
                'main()==>md5' => ['ct' => 9, 'wt' => $md5, 'cpu' => 3000],
                'main()==>work' => ['ct' => 1, 'wt' => $work, 'cpu' => $work],
            ], 'alone', $id);
        }
        $out = $this->xhprof(['diff', 'calm', 'busy'], '', ['COLUMNS' => '220'])->out;
        self::assertStringContainsString("\n+12.8 % (+500 µs) CPU time: 100 % of it in work. Wall time: +712.5 % (+28.5 ms),"
            . ' not running +28.0 ms, CPU time +500 µs, calls the same: the machine was busy, not the program.'
            . " Run it several times.\n", $out);
        self::assertMatchesRegularExpression('/ work\n.* ~ +md5\n/', $out);
        self::assertStringContainsString('~  under 1 % of the total, or only wall time changed', $out);

        $json = $this->xhprof(['diff', 'calm', 'busy', '--json'])->json();
        self::assertSame(['work', 'md5', 'main()'], array_column($json['functions'], 'name'));
        self::assertSame([null, 'machine', 'small'], array_column($json['functions'], 'noise'));
        self::assertSame(['ct' => 'small', 'wt' => 'machine', 'cpu' => null], $json['totals_noise']);

        $symbol = $this->xhprof(['diff', 'calm', 'busy', '--symbol=md5']);
        self::assertStringContainsString('Only wall time changed, while calls, CPU time and operations', $symbol->out);
        $own = $this->xhprof(['diff', 'calm', 'busy', '--symbol=md5', '--json'])->json()['self_noise'];
        self::assertSame(['wt' => 'machine', 'excl_wt' => 'machine'], $own);
        $budget = $this->xhprof(['diff', 'calm', 'busy', '--fail-over=5%']);
        self::assertSame(3, $budget->exitCode, 'the budget is of the figure');
        self::assertStringContainsString('CPU time and calls did not change with it: run it several times', $budget->err);
    }

    public function testMistakes(): void
    {
        self::assertUsageError('b', $this->xhprof(['diff', 'before']));
        self::assertOneLineError('no run nothing', $this->xhprof(['diff', 'before', 'nothing']));
        self::assertOneLineError('no "cpu" to sort by', $this->xhprof(['diff', 'before', 'after', '--sort=cpu']));
    }
}

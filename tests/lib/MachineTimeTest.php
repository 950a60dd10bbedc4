<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Compare\ProfileDiff;
use XHProf\Compare\MachineTime;
use XHProf\Compare\Noise;
use XHProf\Compare\Statistics;
use XHProf\Compare\Verdict;
use XHProf\Operations\OperationReport;
use XHProf\Operations\Operations;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\ProfileMean;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\OperationsRun;

require_once __DIR__ . '/Support/OperationsRun.php';

/** What only wall time shows, in a comparison of one run with one. */
final class MachineTimeTest extends TestCase
{
    private const BUSY = ': the machine was busy, not the program. Run it several times.';

    /** The processor was taken from md5() for 28 ms of the first run. */
    public function testWallTimeAloneIsTheMachines(): void
    {
        $report = self::report(['md5' => [10, 31000, 3000]], ['md5' => [10, 3000, 3010]]);
        $noise = self::noise($report);

        self::assertSame(
            'Wall time: -84.8 % (-28.0 ms), CPU time and calls the same' . self::BUSY,
            Verdict::text(Verdict::sentences($report, $noise, 'wt', true)),
        );
        self::assertSame('same', Verdict::sentences($report, $noise, 'wt', true)[0]['tone']);
        foreach (['md5' => ['excl_wt', 'wt'], 'main()' => ['wt']] as $name => $columns) {
            foreach ($columns as $column) {
                self::assertSame(Noise::MACHINE, $noise->of($name, $column, $report->rows()[$name][$column] ?? 0), "$name $column");
            }
        }
        self::assertSame(Noise::MACHINE, $noise->ofTotal('wt', -28000));
        self::assertSame(Noise::SMALL, $noise->of('md5', 'excl_cpu', 10), 'CPU time is not the machine\'s');
        self::assertStringContainsString('the machine was busy', $noise->explanation());
    }

    public function testWhatChangedForCertainComesFirst(): void
    {
        $report = self::report(
            ['md5' => [10, 3000, 3000], 'trim' => [100, 50, 50], 'PDOStatement::execute' => [100, 100, 90]],
            ['md5' => [10, 31000, 3000], 'trim' => [200, 100, 100], 'PDOStatement::execute' => [95, 95, 85]],
        );
        $text = Verdict::text(Verdict::sentences($report, self::noise($report), 'wt', true));

        self::assertMatchesRegularExpression('/\A\+[0-9.]+ % \(\+95\) calls: .*trim/', $text);
        self::assertStringEndsWith(' Wall time: +544.6 % (+28.0 ms), CPU time the same' . self::BUSY, $text);
        self::assertLessThan(strpos($text, 'Wall time'), strpos($text, 'Queries: 100 → 95'), 'what is certain comes first');
    }

    /** Half of the growth is the program's. */
    public function testTheMachinesPartOfAChangeNamesNoFunction(): void
    {
        $report = self::report(
            ['md5' => [10, 3000, 3000], 'work' => [1, 1000, 1000]],
            ['md5' => [10, 13000, 3000], 'work' => [1, 11000, 11000]],
        );
        $noise = self::noise($report);

        self::assertSame(
            "+333.3 % (+20.0 ms) wall time: 50 % of it in work; 50 % only in wall time, the machine's.",
            Verdict::text(Verdict::sentences($report, $noise, 'wt', true)),
        );
        self::assertSame(
            [Noise::MACHINE, null],
            [$noise->of('md5', 'excl_wt', 10000), $noise->of('work', 'excl_wt', 10000)],
        );
    }

    /** @return iterable<string, array{array<string, array{int, int, int}>, array<string, array{int, int, int}>}> */
    public static function changesOfTheProgram(): iterable
    {
        yield 'it slept' => [['usleep' => [10, 1000, 10]], ['usleep' => [10, 29000, 10]]];
        $query = 'PDOStatement::execute';
        yield 'a statement that took longer' => [[$query => [9, 900, 90]], [$query => [9, 29000, 90]]];
        yield 'the same with its text' => [['curl_exec#GET a' => [9, 900, 90]], ['curl_exec#GET a' => [9, 29000, 90]]];
        yield 'it was called more often' => [['md5' => [10, 3000, 3000]], ['md5' => [11, 31000, 3000]]];
        yield 'it was not called before' => [[], ['md5' => [1, 28000, 10]]];
        yield 'CPU time grew too' => [['md5' => [10, 3000, 3000]], ['md5' => [10, 31000, 29000]]];
    }

    /**
     * @param array<string, array{int, int, int}> $before
     * @param array<string, array{int, int, int}> $after
     */
    #[DataProvider('changesOfTheProgram')]
    public function testOtherWallTimeIsTheProgramsInBothDirections(array $before, array $after): void
    {
        foreach ([[$before, $after], [$after, $before]] as [$a, $b]) {
            $report = self::report($a, $b);
            $noise = self::noise($report);
            $name = (string) array_key_first($after);

            self::assertNull($noise->ofTotal('wt', $report->totals()['delta']['wt'] ?? 0));
            self::assertNull($noise->of($name, 'excl_wt', $report->rows()[$name]['excl_wt'] ?? 0));
            self::assertNull($noise->of('main()', 'wt', $report->rows()['main()']['wt'] ?? 0));
            self::assertStringNotContainsString('machine', Verdict::text(Verdict::sentences($report, $noise, 'wt', true)));
        }
    }

    public function testAFunctionAroundOneThatWaitsMayHaveWaited(): void
    {
        $run = static fn (int $sleep): Profile => Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 3000 + $sleep, 'cpu' => 2900],
            'main()==>pause' => ['ct' => 1, 'wt' => 100 + $sleep, 'cpu' => 90],
            'pause==>usleep' => ['ct' => 1, 'wt' => $sleep, 'cpu' => 1],
        ]);
        $report = ProfileDiff::between($run(50), $run(9000), true);
        $noise = self::noise($report);

        self::assertNull($noise->of('pause', 'wt', 8950));
        self::assertNull($noise->ofCalls('wt', ['ct' => 0, 'wt' => 8950, 'cpu' => 0]));
    }

    public function testTheCallsBetweenTwoFunctionsAreJudgedToo(): void
    {
        $report = self::report(['md5' => [10, 31000, 3000]], ['md5' => [10, 3000, 3010]]);
        $noise = self::noise($report);

        self::assertSame(Noise::MACHINE, $noise->ofCalls('wt', ['ct' => 0, 'wt' => -28000, 'cpu' => 10]));
        self::assertNull($noise->ofCalls('wt', ['ct' => 1, 'wt' => -28000, 'cpu' => 10]));
        self::assertSame(Noise::SMALL, $noise->ofCalls('wt', ['ct' => 0, 'wt' => 1, 'cpu' => 10]));
        self::assertNull($noise->ofCalls('ct', ['ct' => 5, 'wt' => -28000, 'cpu' => 10]));
    }

    /** Nothing is said of runs whose CPU time or calls are not known, nor of sets, which are tested. */
    public function testNothingIsSaidWhereItIsNotKnown(): void
    {
        [$a, $b] = [['md5' => [10, 31000, 3000]], ['md5' => [10, 3000, 3010]]];
        $report = self::report($a, $b);
        $none = static fn (): ?OperationReport => null;

        $sampled = RunMeta::fromArray(['samples' => 9]);
        self::assertNull(MachineTime::compute($report, $sampled, $sampled, $none, $none));
        self::assertNull(MachineTime::compute($report, RunMeta::fromArray([]), $sampled, $none, $none));
        $wall = static fn (int $wt): Profile => Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => $wt]]);
        $meta = RunMeta::fromArray([]);
        self::assertNull(MachineTime::compute(ProfileDiff::between($wall(1), $wall(9)), $meta, $meta, $none, $none));
        $user = static fn (int $wt): Profile => Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => $wt, 'ut' => 1]]);
        self::assertNull(MachineTime::compute(ProfileDiff::between($user(1), $user(9)), $meta, $meta, $none, $none));

        $sets = [[self::profile($a), self::profile($a)], [self::profile($b), self::profile($b)]];
        $report = ProfileDiff::between(ProfileMean::compute($sets[0]), ProfileMean::compute($sets[1]), true);
        $machine = MachineTime::compute($report, RunMeta::fromArray([]), RunMeta::fromArray([]), $none, $none);
        self::assertNotNull($machine);
        $noise = new Noise($report, Statistics::compute($sets[0]), Statistics::compute($sets[1]), false, $machine);
        self::assertNull($noise->machine);
        self::assertNull($noise->of('md5', 'excl_wt', -28000));
    }

    public function testUserAndSystemTimeAreCpuTime(): void
    {
        $run = static fn (int $wt, int $st): Profile => Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => $wt, 'ut' => 900, 'st' => $st],
        ]);
        $same = self::noise(ProfileDiff::between($run(1000, 10), $run(9000, 12)));
        $read = self::noise(ProfileDiff::between($run(1000, 10), $run(9000, 7000)));

        self::assertSame(Noise::MACHINE, $same->ofTotal('wt', 8000));
        self::assertNull($read->ofTotal('wt', 8000));
    }

    /** Without PHP's own functions only operations say who waited. */
    public function testWithoutPhpsOwnFunctionsTheOperationsDecide(): void
    {
        $tree = static fn (string $name): CallTree => CallTree::fromArray([
            'names' => ['main()', $name],
            'fn' => [0, 1],
            'depth' => [0, 1],
            'ct' => [1, 1],
            'self' => ['wt' => [1000, 1000]],
        ]);
        $operations = static fn (string $name, int $ns): OperationReport => new OperationReport(
            Operations::fromArray(OperationsRun::data([
                ['sql', 'SELECT a', 1, 1, $ns, $ns, 1],
                ['gc', 'collect', 1, 1, 9, 9, 1],
            ]), 2),
            $tree($name),
        );
        $report = ProfileDiff::between(
            self::profile(['new' => [1, 4000, 1000]]),
            self::profile(['new' => [1, 32000, 1000]]),
            true,
            ['old' => 'new'],
        );
        $meta = RunMeta::fromArray(['flag_names' => ['CPU', 'NO_BUILTINS']]);
        $noise = static function (?OperationReport $a, ?OperationReport $b) use ($report, $meta): Noise {
            $read = static fn (?OperationReport $of): \Closure => static fn (): ?OperationReport => $of;

            return new Noise($report, machine: MachineTime::compute($report, $meta, RunMeta::fromArray([]), $read($a), $read($b)));
        };

        $waited = $noise($operations('old', 3_000_000), $operations('new', 31_000_000));
        self::assertSame([null, null], [$waited->ofTotal('wt', 28000), $waited->of('new', 'excl_wt', 28000)]);
        $busy = $noise($operations('old', 3_000_000), $operations('new', 3_000_000));
        self::assertSame(
            [Noise::MACHINE, Noise::MACHINE],
            [$busy->ofTotal('wt', 28000), $busy->of('new', 'excl_wt', 28000)],
        );
        self::assertNull($noise(null, $operations('new', 3_000_000))->machine, 'nobody knows who waited');
    }

    public function testSharesBeyondTheWholeSayWhatWentTheOtherWay(): void
    {
        $text = static function (ProfileDiff $report): string {
            return Verdict::text(Verdict::sentences($report, new Noise($report), 'wt', true));
        };
        $before = ['serialize' => [1, 1000, 1000], 'md5' => [1, 1000, 1000], 'f' => [1, 500, 500], 'g' => [1, 500, 500]];
        $after = ['serialize' => [1, 280, 280], 'md5' => [1, 640, 640], 'f' => [1, 550, 550], 'g' => [1, 530, 530]];

        self::assertSame(
            '-20.0 % (-1.00 ms) wall time: 72 % of it in serialize, 36 % in md5; +80 µs in others, the most in f.',
            $text(self::report($before, $after)),
        );
        self::assertSame(
            '+25.0 % (+1.00 ms) wall time: 72 % of it in serialize, 36 % in md5; -80 µs in others, the most in f.',
            $text(self::report($after, $before)),
        );
        unset($before['g'], $after['g']);
        $after['f'] = [1, 580, 580];
        self::assertStringEndsWith(', 36 % in md5; +80 µs in f.', $text(self::report($before, $after)));
        self::assertStringNotContainsString(';', $text(self::report($before, $before + ['more' => [1, 400, 400]])));
    }

    /** @param array<string, array{int, int, int}> $functions calls, wall and CPU time of what main() calls */
    private static function profile(array $functions): Profile
    {
        $edges = ['main()' => [
            'ct' => 1,
            'wt' => 2000 + array_sum(array_column($functions, 1)),
            'cpu' => 2000 + array_sum(array_column($functions, 2)),
        ]];
        foreach ($functions as $name => [$ct, $wt, $cpu]) {
            $edges["main()==>$name"] = ['ct' => $ct, 'wt' => $wt, 'cpu' => $cpu];
        }

        return Profile::fromEdges($edges);
    }

    /**
     * @param array<string, array{int, int, int}> $a
     * @param array<string, array{int, int, int}> $b
     */
    private static function report(array $a, array $b): ProfileDiff
    {
        return ProfileDiff::between(self::profile($a), self::profile($b), true);
    }

    private static function noise(ProfileDiff $report): Noise
    {
        $none = static fn (): ?OperationReport => null;
        $meta = RunMeta::fromArray([]);

        return new Noise($report, machine: MachineTime::compute($report, $meta, $meta, $none, $none));
    }
}

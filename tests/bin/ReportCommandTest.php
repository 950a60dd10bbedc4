<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Functions\NegativeMemory;
use XHProf\Profile\CallTree;
use XHProf\Run\RunFileWriter;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** `xhprof report`: finding a run, and printing it for people and for programs. */
final class ReportCommandTest extends CliTestCase
{
    private const LONG = 'Some\Vendor\With\A\Long\Name\Package\Component\SubComponent\ClassOfManyWords::methodOfManyWords';
    private const EVIL = "evil\e]0;owned\x07\r\n\x9b31m\xff<error>x</error>";

    /** @return array<string, array<string, int>> */
    private static function edges(): array
    {
        return [
            'main()==>' . self::LONG => ['ct' => 1, 'wt' => 1100000, 'cpu' => 900000, 'mu' => 2048, 'pmu' => 4096],
            self::LONG . '==>walk' => ['ct' => 2, 'wt' => 600000, 'cpu' => 500000, 'mu' => 1024, 'pmu' => 100],
            'walk==>walk@1' => ['ct' => 12, 'wt' => 400000, 'cpu' => 300000, 'mu' => 512, 'pmu' => 50],
            'walk@1==>walk@2' => ['ct' => 41896, 'wt' => 100000, 'cpu' => 90000, 'mu' => 0, 'pmu' => 0],
            'main()==>' . self::EVIL => ['ct' => 1, 'wt' => 7, 'cpu' => 3, 'mu' => 0, 'pmu' => 0],
            'main()' => ['ct' => 1, 'wt' => 1234567, 'cpu' => 1000000, 'mu' => 3000, 'pmu' => 5000],
        ];
    }

    public function testColumnsAreAlignedAndFitTheWidth(): void
    {
        $this->store()->save(self::edges(), 'cli');
        foreach ([60, 80, 100, 140, 280] as $width) {
            $out = $this->xhprof(['report'], '', ['COLUMNS' => (string) $width])->out;
            self::assertLessThanOrEqual($width, self::widestLine($out), $out);
            self::assertSame(1, preg_match('/^excl wall.*function$/m', $out, $head), $out);
            self::assertSame(4, preg_match_all('/^ +[\d.]+ (s|ms|µs) .* \S+$/mu', $out));
            self::assertStringContainsString($width >= 280 ? self::LONG : 'Words', $out);
            // right-aligned: the unit of every line ends where the heading ends
            preg_match_all('/^( +[\d.]+ (?:s|ms|µs))  /mu', $out, $cells);
            self::assertSame([9], array_values(array_unique(array_map(mb_strlen(...), $cells[1]))));
        }
        self::assertStringContainsString('excl peak growth', $this->xhprof(['report'], '', ['COLUMNS' => '200'])->out);
    }

    public function testPlainLocaleGetsPlainCharacters(): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9], 'main()==>' . self::LONG => ['ct' => 1, 'wt' => 8]], 's');
        $out = $this->xhprof(['report'], '', ['LC_ALL' => 'C', 'COLUMNS' => '100'])->out;

        self::assertStringContainsString('#', $out);
        self::assertDoesNotMatchRegularExpression('/[█…]/u', $out);
        self::assertStringContainsString('...', $out);
    }

    public function testNamesCannotSpeakToTheTerminal(): void
    {
        $this->store()->save(self::edges(), 'cli', null, ['command' => "php \e[2J\n.php"]);
        foreach ([['report', '--ansi'], ['report', '--symbol=' . self::EVIL], ['list'], ['report', '--symbol=vil']] as $arguments) {
            $result = $this->xhprof($arguments, '', ['COLUMNS' => '200']);
            $all = (string) preg_replace('/\e\[[0-9;]*m/', '', $result->out . $result->err);
            self::assertDoesNotMatchRegularExpression('/[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/', $all);
            self::assertSame(1, preg_match('//u', $all));
        }
        $out = $this->xhprof(['report', '--no-ansi'], '', ['COLUMNS' => '200'])->out;
        self::assertStringContainsString('evil\x1B]0;owned\x07\x0D\x0A\x9B31m\xFF<error>x</error>', $out);
    }

    public function testSortAndLimit(): void
    {
        $this->store()->save(self::edges(), 'cli');
        $short = $this->xhprof(['report', '--json', '-s', 'ct', '-l2'])->json()['functions'];
        self::assertSame(['walk', self::LONG], array_column($short, 'name'));
        $least = $this->xhprof(['report', '--json', '-s', 'ct', '-l0', '--dir=asc'])->json()['functions'];
        self::assertSame([self::LONG, 'walk'], array_slice(array_column($least, 'name'), -2));
        self::assertUsageError('--dir takes one of asc, desc', $this->xhprof(['report', '--dir=up']));
        self::assertUsageError('--dir excludes --tree and --findings', $this->xhprof(['report', '--tree', '--dir=asc']));
        self::assertOneLineError('no "ut" to sort by; it has ct, fn, wt', $this->xhprof(['report', '--sort=ut']));
        self::assertUsageError('--limit takes a number', $this->xhprof(['report', '--limit=-1']));
    }

    public function testSymbol(): void
    {
        $this->store()->save(self::edges(), 'cli');
        $json = $this->xhprof(['report', '--symbol=walk', '--json'])->json();
        self::assertSame([self::LONG], array_column($json['parents'], 'name'));
        self::assertSame(['walk' => 41908], $json['recursive_calls']);
        self::assertOneLineError('it has walk', $this->xhprof(['report', '--symbol=WALK']));
        self::assertOneLineError('it has walk, walk@1', $this->xhprof(['report', '--symbol=WALK', '--levels']));
        $levels = $this->xhprof(['report', '--symbol=walk', '--levels'])->out;
        self::assertMatchesRegularExpression('/^wall +200 ms +16\.2 % +600 ms +48\.6 % +300 ms$/m', $levels);
        self::assertMatchesRegularExpression('/ calls\n.*400 ms +66\.7 %.* 12 +walk@1\n/', $levels);
    }

    /** Direct and indirect recursion, and a level without its function. */
    public function testTheTableAndTheReportOfOneFunctionAgree(): void
    {
        $this->store()->save(self::edges() + [
            'main()==>a' => ['ct' => 3, 'wt' => 900, 'cpu' => 800, 'mu' => 7, 'pmu' => 0],
            'a==>b' => ['ct' => 2, 'wt' => 700, 'cpu' => 600, 'mu' => 5, 'pmu' => 0],
            'b==>a@1' => ['ct' => 5, 'wt' => 400, 'cpu' => 300, 'mu' => 3, 'pmu' => 0],
            'a@1==>b@1' => ['ct' => 1, 'wt' => 100, 'cpu' => 90, 'mu' => 1, 'pmu' => 0],
            'main()==>odd@1' => ['ct' => 4, 'wt' => 50, 'cpu' => 40, 'mu' => 0, 'pmu' => 0],
        ], 'cli', 'all');
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9, 'cpu' => 9, 'mu' => 9, 'pmu' => 9]], 'cli', 'none');
        foreach ([[], ['--levels']] as $more) {
            $command = ['diff', 'none', 'all', '--json', '--limit=0', ...$more];
            $diff = array_column($this->xhprof($command)->json()['functions'], null, 'name');
            $rows = $this->xhprof(['report', 'all', '--json', '--limit=0', ...$more])->json()['functions'];
            self::assertGreaterThan(5, count($rows));
            foreach ($rows as $row) {
                $name = $row['name'];
                if (str_starts_with($name, 'evil')) {
                    // bytes that JSON cannot hold
                    continue;
                }
                $self = $this->xhprof(['report', 'all', '--json', "--symbol=$name", ...$more])->json()['self'];
                self::assertSame($self, array_intersect_key($row, $self), $name);
                $change = $this->xhprof(['diff', 'none', 'all', '--json', "--symbol=$name", ...$more])->json()['self'];
                self::assertSame($change['delta'], array_intersect_key($diff[$name]['delta'], $change['delta']), $name);
            }
        }
    }

    public function testFilesOfFunctions(): void
    {
        $tree = [
            'names' => ['main()', 'f', 'strlen'], 'files' => ['/app/index.php', 'ext:Core', "/app/\x01.php"], 'file' => [0, 2, 1],
            'line' => [1, 12, 0], 'last_line' => [9, 20, 0], 'fn' => [0, 1, 2], 'depth' => [0, 1, 2], 'ct' => [1, 5, 2],
            'call_line' => [0, 3, 14], 'self' => ['wt' => [3000, 4000, 3000]],
        ];
        $tree = CallTree::fromArray($tree);
        $this->store()->save($tree->toEdges(), 'cli', 'placed', [], $tree);
        $plain = $this->xhprof(['report', 'placed'])->out;
        self::assertStringNotContainsString('/app', $plain);
        $out = $this->xhprof(['report', 'placed', '--files'])->out;
        self::assertMatchesRegularExpression('~ f +/app/\\\\x01\.php:12$~m', $out);
        self::assertMatchesRegularExpression('~ strlen +ext:Core$~m', $out);
        $tree = $this->xhprof(['report', 'placed', '--files', '--tree'])->out;
        self::assertMatchesRegularExpression('~ main\(\) +/app/index\.php:1$~m', $tree);
        self::assertStringContainsString("\n/app/\\x01.php:12\n", $this->xhprof(['report', 'placed', '-f', '--symbol=f'])->out);
        $json = $this->xhprof(['report', 'placed', '--files', '--json', '--sort=fn'])->json()['functions'];
        self::assertSame(["/app/\x01.php", 12, 20], [$json[0]['file'], $json[0]['line'], $json[0]['last_line']]);
        self::assertArrayNotHasKey('file', $this->xhprof(['report', 'placed', '--json'])->json()['functions'][0]);
        $this->store()->save(self::edges(), 'cli', 'bare');
        self::assertOneLineError('does not say where its functions are', $this->xhprof(['report', 'bare', '--files']));
    }

    public function testTree(): void
    {
        $run = $this->store()->save(['main()' => ['ct' => 1, 'wt' => 10]], 'cli', 'treed');
        self::assertOneLineError('this run has no call tree', $this->xhprof(['report', '--tree']));
        RunFiles::put("$this->folder/runs", $run, ['tree' => [
            'n' => 4, 'names' => ['main()', "a\x01", 'b'], 'fn' => [0, 1, 2, 2],
            'depth' => [0, 1, 2, 1], 'ct' => [1, 5, 7, 2], 'self' => ['wt' => [1000, 2000, 3000, 4000]],
        ]]);

        $out = $this->xhprof(['report', '--tree'])->out;
        self::assertMatchesRegularExpression('/5 µs +50\.0 % +2 µs +5   a\\\\x01\n/', $out);
        $paths = $this->xhprof(['report', '--tree', '--json', '--limit=3'])->json()['paths'];
        self::assertSame([[0, 10000], [1, 5000], [1, 4000]], array_map(
            static fn (array $path): array => [$path['depth'], $path['wt_ns']],
            $paths,
        ));
        self::assertOneLineError('--tree sorts by time (wt)', $this->xhprof(['report', '--tree', '--sort=ct']));
    }

    /** A run file has whole microseconds: its functions f and g would take 1 and 0. */
    public function testReportsHaveTheNanosecondsOfTheCallTree(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f', 'g'], 'fn' => [0, 1, 2, 2], 'depth' => [0, 1, 2, 1], 'ct' => [1, 1, 1, 1],
            'self' => ['wt' => [5100, 900, 781, 219], 'cpu' => [5000, 850, 780, 0], 'mu' => [-70, 100, 0, 0]],
        ]);
        $this->store()->save($tree->toEdges(), 'cli', 'exact', [], $tree);
        $functions = $this->xhprof(['report', 'exact', '--json', '--sort=fn'])->json()['functions'];
        self::assertSame([0.9, 1, 5.1], array_column($functions, 'excl_wt'));
        self::assertSame([0.85, 0.78, 5], array_column($functions, 'excl_cpu'));
        self::assertSame([1.681, 1, 7], array_column($functions, 'wt'));
        $g = $this->xhprof(['report', 'exact', '--json', '--symbol=g'])->json();
        self::assertSame([1, 0.781], [$g['self']['excl_wt'], array_column($g['parents'], 'wt', 'name')['f']]);
        $this->store()->save($tree->toEdges(), 'cli', 'whole');
        $whole = $this->xhprof(['report', 'whole', '--json', '--sort=fn'])->json()['functions'];
        self::assertSame([1, 1, 5], array_column($whole, 'excl_wt'));
        $same = $this->xhprof(['diff', 'exact', 'exact', '--json'])->json();
        self::assertSame(0, array_sum(array_column($same['functions'], 'excl_wt')));
    }

    public function testNegativeMemoryIsExplainedBesideIt(): void
    {
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 10, 'mu' => 5],
            'main()==>local_big' => ['ct' => 1, 'wt' => 5, 'mu' => 700],
        ], 'cli', 'freed');
        $out = str_replace("\n", ' ', $this->xhprof(['report', 'freed'])->out);
        self::assertStringContainsString(NegativeMemory::MEANING, $out);
        self::assertSame(NegativeMemory::MEANING, $this->xhprof(['report', 'freed', '--json'])->json()['negative_memory']);
        $first = ['report', 'freed', '--limit=1', '--sort=excl_mu'];
        self::assertStringNotContainsString('negative memory', $this->xhprof($first)->out);
        self::assertArrayNotHasKey('negative_memory', $this->xhprof([...$first, '--json'])->json());
    }

    /** main() { f { f } }: in microseconds 10, corrected 6; the recursion takes 4 + 3, corrected 2 + 1 */
    private function saveCorrected(): void
    {
        $tree = [
            'n' => 3, 'names' => ['main()', 'f'], 'fn' => [0, 1, 1], 'depth' => [0, 1, 2],
            'ct' => [1, 5, 2], 'self' => ['wt' => [3000, 4000, 3000], 'mu' => [5, 3, 2]],
            'corrected' => ['wt' => [3000, 2000, 1000]],
        ];
        $run = $this->store()->save(CallTree::fromArray($tree)->toEdges(), 'cli', 'corr1');
        RunFiles::put("$this->folder/runs", $run, ['tree' => $tree]);
    }

    public function testCorrectedTimesBesideTheRawOnes(): void
    {
        $this->saveCorrected();
        $raw = $this->xhprof(['report', 'corr1'])->out;
        self::assertStringNotContainsString('corr', substr($raw, (int) strpos($raw, "\n")));
        $sorted = $this->xhprof(['report', 'corr1', '--corrected', '--sort=corrected_wt'])->out;
        self::assertMatchesRegularExpression('/^ +3 µs +50\.0 % +6 µs +100\.0 % .* main\(\)$/m', $sorted);
        $json = $this->xhprof(['report', 'corr1', '--corrected', '--json', '--sort=excl_corrected_wt'])->json();
        self::assertSame(['wt', 'corrected_wt', 'mu'], $json['metrics']);
        self::assertSame(6, $json['totals']['corrected_wt']);
        self::assertSame([3, 3], array_column($json['functions'], 'excl_corrected_wt'));
        self::assertSame([7, 10], array_column($json['functions'], 'wt'));
        self::assertStringStartsWith('an estimate', $json['corrected']);
        self::assertArrayNotHasKey('corrected', $this->xhprof(['report', 'corr1', '--json'])->json());
    }

    public function testCorrectedTimesOfAFunctionAndOfCallPaths(): void
    {
        $this->saveCorrected();
        $symbol = $this->xhprof(['report', 'corr1', '--corrected', '--symbol=f'])->out;
        self::assertMatchesRegularExpression('/^wall +7 µs +70\.0 % +7 µs .*\ncorr +3 µs +50\.0 % +3 µs +50\.0 %/m', $symbol);
        self::assertMatchesRegularExpression('/^ +7 µs +100\.0 % +3 µs .* main\(\)$/m', $symbol);
        self::assertStringContainsString("\n\ncorr: corrected times, an estimate", $symbol);
        $json = $this->xhprof(['report', 'corr1', '--corrected', '--symbol=f', '--json'])->json();
        self::assertSame([3, ['f' => 2]], [$json['self']['corrected_wt'], $json['recursive_calls']]);

        $tree = $this->xhprof(['report', 'corr1', '--corrected', '--tree'])->out;
        self::assertMatchesRegularExpression('/^ +7 µs +70\.0 % +4 µs +3 µs +2 µs +5   f$/m', $tree);
        self::assertStringContainsString('corr: corrected times, an estimate', $tree);
        $paths = ['report', 'corr1', '--corrected', '--tree', '--sort=corrected_wt', '--json'];
        $path = $this->xhprof($paths)->json()['paths'][1];
        self::assertSame([3000, 2000, 7000], [$path['corrected_wt_ns'], $path['excl_corrected_wt_ns'], $path['wt_ns']]);
        self::assertArrayNotHasKey('corrected_wt_ns', $this->xhprof(['report', '--tree', '--json'])->json()['paths'][1]);
    }

    public function testRunsWithoutCorrectedTimes(): void
    {
        $this->saveCorrected();
        $this->store()->save(self::edges(), 'cli', 'aaaa1111');
        foreach ([[], ['--symbol=walk'], ['--json']] as $more) {
            $none = $this->xhprof(['report', 'aaaa1111', '--corrected', ...$more]);
            self::assertOneLineError('this run has no corrected times', $none);
        }
        self::assertUsageError('it needs --corrected', $this->xhprof(['report', 'corr1', '--sort=excl_corrected_wt']));
        self::assertOneLineError(
            'no "corrected_cpu" to sort by; it has ct, fn, wt, excl_wt, corrected_wt',
            $this->xhprof(['report', 'corr1', '--corrected', '--sort=corrected_cpu']),
        );
        $file = RunFiles::path("$this->folder/runs", 'corr1.cli');
        $tree = RunFiles::document("$this->folder/runs", 'corr1.cli', 'tree');
        self::assertIsArray($tree);
        foreach ([[3000, 2000, -1], [3000, 2000, 'x'], [3000, 2000, 1, 2]] as $column) {
            $why = count($column) === 3 ? '"corrected.wt"' : 'wrong length';
            RunFiles::put("$this->folder/runs", 'corr1.cli', ['tree' => ['corrected' => ['wt' => $column]] + $tree]);
            self::assertOneLineError($file, $damaged = $this->xhprof(['report', 'corr1', '--corrected']));
            self::assertStringContainsString($why, $damaged->err);
            self::assertSame(0, $this->xhprof(['report', 'corr1'])->exitCode, 'the raw times are not concerned');
        }
        unset($tree['corrected']);
        RunFiles::put("$this->folder/runs", 'corr1.cli', ['tree' => $tree]);
        foreach ([[], ['--tree']] as $more) {
            $none = $this->xhprof(['report', 'corr1', '--corrected', ...$more]);
            self::assertOneLineError('this run has no corrected times', $none);
        }
    }

    public function testFindsRunsByPrefixAndSource(): void
    {
        $this->store()->save(self::edges(), 'cli', 'abc111', ['ts' => 1000.0]);
        $this->store()->save(self::edges(), 'web', 'abc222', ['ts' => 2000.0]);
        $this->store()->save(self::edges(), 'cli', 'abd333', ['ts' => 1500.0]);
        $found = fn (string ...$arguments): string
            => $this->xhprof(['report', '--json', ...array_values($arguments)])->json()['run']['id'];

        self::assertSame('abc111', $found('abc1'));
        self::assertSame('abc111', $found('abc', '--source=cli'));
        self::assertSame('abc111', $found('abc.cli'));
        self::assertSame('abc111', $found(RunFiles::file('abc111.cli')));
        self::assertSame('abc222', $found('latest'));
        self::assertSame('abd333', $found('latest', '--source', 'cli'));
        self::assertOneLineError('abc stands for 2 runs: abc111.cli, abc222.web', $this->xhprof(['report', 'abc']));
        self::assertOneLineError('there is no run zzz', $this->xhprof(['report', 'zzz']));
        self::assertOneLineError('no run of the source x', $this->xhprof(['report', 'latest', '--source=x']));
        self::assertOneLineError('1 to 64 of', $this->xhprof(['report', 'a b']));
    }

    public function testFileFromElsewhere(): void
    {
        $file = "$this->folder/old run.xhprof";
        file_put_contents($file, serialize(['main()' => ['ct' => 1, 'wt' => 5], 'main()==>f' => ['ct' => 1, 'wt' => 4]]));
        $result = $this->xhprof(['report', $file]);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertStringContainsString('old run.xhprof', $result->out);
        self::assertOneLineError('does not exist', $this->xhprof(['report', "$this->folder/none.xhprof"]));
        $tree = ['names' => ['main()', 'f'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1], 'self' => ['wt' => [1000, 4000]]];
        RunFiles::write($this->folder, 'new.run', ['meta' => ['command' => 'php elsewhere.php'], 'tree' => $tree]);
        $result = $this->xhprof(['report', RunFiles::path($this->folder, 'new.run')]);
        self::assertSame(0, $result->exitCode, $result->err);
        self::assertStringContainsString('php elsewhere.php', $result->out);
        self::assertMatchesRegularExpression('/^ *4 µs +80\.0 % +4 µs .* f$/m', $result->out);
    }

    /** @return iterable<string, array{string, string, string}> file, bytes, what is said of it */
    public static function damages(): iterable
    {
        $classic = RunFiles::classicFile('bad1.cli');
        yield 'empty' => [$classic, '', 'is empty'];
        yield 'cut off' => [$classic, 'a:1:{s:6:"main()";a:1:{', 'not a run'];
        yield 'object' => [$classic, 'O:8:"stdClass":0:{}', 'not a run'];
        yield 'other data' => [$classic, serialize(['a' => 'b']), 'not a run'];
        $run = RunFiles::file('bad1.cli');
        $tree = ['names' => ['main()'], 'fn' => [0], 'depth' => [0], 'ct' => [7], 'self' => ['wt' => [1000]]];
        $whole = RunFileWriter::bytes(['meta' => ['ts' => 1e9, 'totals' => ['wt' => 1]], 'tree' => $tree]);
        yield 'an empty run file' => [$run, '', 'is empty'];
        yield 'a run file of a newer version' => [$run, "xhprof-run 2 64\n", 'written by a newer XHProf (format 2)'];
        yield 'a run file that is cut off' => [$run, substr($whole, 0, -8), 'tree.names is damaged'];
        yield 'a run file whose head is cut off' => [$run, substr($whole, 0, 200), 'the file is cut off'];
        $metadata = static fn (string $head): string => str_replace('"totals":{"wt":1}', '"totals":{"wt":1', $head);
        yield 'metadata that are no JSON' => [$run, RunFiles::withHead($whole, $metadata), 'its head is not JSON'];
        $orphan = RunFileWriter::bytes(['tree' => ['depth' => [1]] + $tree]);
        yield 'a node without a parent' => [$run, $orphan, 'no parent'];
    }

    #[DataProvider('damages')]
    public function testDamagedRunIsNamed(string $name, string $bytes, string $why): void
    {
        file_put_contents("$this->folder/runs/$name", $bytes);
        foreach ([['report', 'bad1'], ['report', 'bad1', '--json'], ['diff', 'bad1', 'bad1']] as $command) {
            $result = $this->xhprof($command);
            self::assertOneLineError("$this->folder/runs/$name", $result);
            self::assertStringContainsString($why, $result->err);
        }
    }

    /** Names are data of others: the same in JSON, and in a terminal no control of it. */
    public function testJsonDoesNothingInATerminal(): void
    {
        $hidden = "\u{9B}31m\u{7F}\u{80}\u{202E}\u{2066}\u{200F}\u{200B}\u{FEFF}\u{2028}\u{AD}\u{E0041}\x1b[2J é";
        $edges = ['main()' => ['ct' => 1, 'wt' => 9], "main()==>f$hidden" => ['ct' => 1, 'wt' => 5]];
        $meta = ['url' => "/$hidden", 'method' => 'GET', 'host' => $hidden, 'meta' => ['note' => $hidden]];
        $this->store()->save($edges, 'cli', 'one', $meta);
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 10]] + $edges, 'cli', 'two', $meta);
        $commands = [['list', '--json'], ['report', 'one', '--json'], ['report', 'one', '--json', "--symbol=f$hidden"],
            ['diff', 'one', 'two', '--json'], ['mean', 'one', 'two', '--json'], ['status', '--json']];
        foreach ($commands as $command) {
            $result = $this->xhprof($command);
            self::assertSame('', $result->err, $command[0]);
            $acts = '/[\x00-\x09\x0B-\x1F\x7F]|[\x{80}-\x{9F}\p{Cf}\p{Zl}\p{Zp}]/u';
            self::assertSame(0, preg_match($acts, $result->out), $command[0]);
            $data = json_decode($result->out, true, 512, JSON_THROW_ON_ERROR);
            $found = false;
            array_walk_recursive($data, static function (mixed $value, int|string $key) use (&$found, $hidden): void {
                $found = $found || (is_string($value) && str_contains($value, $hidden)) || str_contains((string) $key, $hidden);
            });
            self::assertSame($command[0] !== 'status', $found, "$command[0] has the same text");
        }
    }

    public function testLargeRunsAreNotBoundByTheMemoryLimitOfPhp(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 20000]];
        for ($i = 0; $i < 20000; $i++) {
            $edges["main()==>function$i"] = ['ct' => 1, 'wt' => 1];
        }
        $this->store()->save($edges, 'cli');
        $command = [PHP_BINARY, '-d', 'memory_limit=12M', self::program(), 'report', '-l1'];
        $result = $this->process($command);

        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertStringContainsString('1 of 20 001 functions', $result->out);
    }

    public function testAReportThatCannotBeWrittenIsAnError(): void
    {
        $this->store()->save(self::edges(), 'cli', 'aaaa1111');
        $xhprof = escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg(self::program());
        foreach (['report', 'report --json', 'list', 'list --json', 'diff latest latest', 'report --help', 'serve'] as $command) {
            $result = $this->process(['sh', '-c', "exec $xhprof $command > /dev/full"]);
            self::assertOneLineError('cannot write to standard output: No space left on device', $result);
        }
    }

    public function testAReaderThatHasSeenEnoughIsNoError(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 20000]];
        for ($i = 0; $i < 5000; $i++) {
            $edges["main()==>function$i"] = ['ct' => 1, 'wt' => 1];
        }
        $this->store()->save($edges, 'cli');
        $xhprof = escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg(self::program());
        foreach (['', '--json'] as $option) {
            $pipe = "{ $xhprof report --limit=0 $option; echo status \$? >&2; } | head -n1";
            $result = $this->process(['sh', '-c', $pipe]);
            self::assertSame("status 0\n", $result->err);
            self::assertSame(1, substr_count($result->out, "\n"));
        }
    }

    public function testASlowReaderGetsEverything(): void
    {
        $this->store()->save(self::edges(), 'cli', 'aaaa1111', ['meta' => ['long' => str_repeat('x', 500000)]]);
        $code = 'stream_set_blocking(STDOUT, false); $argv = $_SERVER["argv"] = ["xhprof", "report", "--json"]; '
            . 'require ' . var_export(self::ROOT . '/vendor/autoload.php', true) . '; '
            . 'exit((new XHProf\App\Application(' . var_export(self::ROOT, true) . '))->run());';
        file_put_contents("$this->folder/nonblocking.php", "<?php $code");
        $php = escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg("$this->folder/nonblocking.php");
        $result = $this->process(['sh', '-c', "$php | { sleep 0.3; cat; }"]);

        self::assertSame(500000, strlen($result->json()['run']['meta']['meta']['long']), $result->err);
    }

    public function testFolderOption(): void
    {
        $this->store()->save(self::edges(), 'cli', 'here1');
        $environment = ['XHPROF_OUTPUT_DIR' => '/nonexistent'];
        $option = "--output-dir=$this->folder/runs";

        self::assertSame(0, $this->xhprof(['report', $option], '', $environment)->exitCode);
        self::assertOneLineError('/nonexistent does not exist', $this->xhprof(['report'], '', $environment));
    }
}

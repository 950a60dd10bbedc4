<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Findings\Evidence;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Findings\Rule;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Operations\Operations;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Report\TimeBar;
use XHProf\Run\MadeRun;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\OperationsRun;

require_once __DIR__ . '/Support/MemoryRun.php';
require_once __DIR__ . '/Support/OperationsRun.php';

/** The rules at their thresholds; tests/bin/FindingsTest.php has real programs. */
final class FindingTest extends TestCase
{
    /**
     * What is found in the operations alone.
     *
     * @param list<array{string, string, int, int, int, int, int}> $rows see OperationsRun
     * @return list<Finding>
     */
    private static function ofOperations(CallTree $tree, array $rows): array
    {
        $operations = Operations::fromArray(OperationsRun::data($rows), $tree->count());
        $found = self::find($tree->toEdges(), RunMeta::fromArray([]), new OperationReport($operations, $tree));
        $others = ['dominant-function', 'waiting'];

        return array_values(array_filter($found, static fn (Finding $f): bool => !in_array($f->rule, $others, true)));
    }

    /**
     * The same as texts.
     *
     * @param array{string, string, int, int, int, int, int} ...$rows
     * @return list<string>
     */
    private static function figures(CallTree $tree, array ...$rows): array
    {
        $text = static fn (Finding $f): string => "$f->rule:$f->symbol: $f->figure";

        return array_map($text, self::ofOperations($tree, array_values($rows)));
    }

    /** @param array<string, array<string, int>> $edges */
    private static function rules(array $edges, ?RunMeta $meta = null): string
    {
        $found = self::find(Profile::fromEdges($edges), $meta ?? RunMeta::fromArray([]));

        return implode(' ', array_map(static fn (Finding $f): string => "$f->rule:$f->symbol", $found));
    }

    /** @return list<Finding> */
    private static function find(Profile $profile, RunMeta $meta, ?OperationReport $recorded = null): array
    {
        $operations = static fn (): ?OperationReport => $recorded;

        return Findings::find(new Evidence($profile, $meta, static fn (): null => null, $operations));
    }

    public function testOperationsCountWhereTheLoopIs(): void
    {
        $run = static fn (int $loops, int $each): array => [
            'main()' => ['ct' => 1],
            'main()==>page' => ['ct' => $loops],
            'page==>Repository::find' => ['ct' => $loops * $each],
            'Repository::find==>PDOStatement::execute' => ['ct' => $loops * $each],
        ];

        self::assertSame('n-plus-one:page', self::rules($run(1, 50)));
        self::assertSame('', self::rules($run(1, 49)));
        self::assertSame('n-plus-one:page', self::rules($run(5, 10)));
        self::assertSame('n-plus-one:main()', self::rules($run(60, 1)), 'page passes them on');
        self::assertSame('', self::rules($run(1, 50), RunMeta::fromArray(['samples' => 12])), 'samples are not calls');
    }

    public function testWhatWasRecordedOfOperationsCountsWithItsText(): void
    {
        $query = 'SELECT name FROM author WHERE id = ?';
        $rows = [
            ['sql', $query, 3, 90, 90000, 2000, 5],
            ['sql', 'PDO::commit', 4, 90, 57000, 3000, 90],
            ['http', 'GET api.example.com/users/{id}', 6, 60, 5051000, 90000, 60],
            ['file', 'fopen cache/{id}.txt', 1, 90, 30000, 2000, 90],
        ];
        $tree = CallTree::fromArray([
            'names' => ['main()', 'page', 'author', 'PDOStatement::execute', 'PDO::commit', 'users', 'file_get_contents'],
            'fn' => [0, 1, 2, 3, 4, 5, 6],
            'depth' => [0, 1, 2, 3, 2, 1, 2],
            'ct' => [1, 1, 90, 90, 90, 1, 60],
            'self' => ['wt' => [0, 0, 0, 90000, 57000, 0, 5051000]],
        ]);
        $found = static fn (array $change = []): array => array_map(
            static fn (Finding $f): array => [$f->symbol, $f->figure, $f->why],
            self::find($tree->toEdges(), RunMeta::fromArray([]), new OperationReport(
                Operations::fromArray($change + OperationsRun::data($rows), $tree->count()),
                $tree,
            )),
        );

        $why = "Each turn of a loop asks the database again, mostly “{$query}”: one query for all of them (a join, an IN list)";
        self::assertSame([
            ['users', '60 HTTP requests, 97.2 % of the wall time', 'Each turn of a loop waits for an answer, mostly'
                . ' “GET api.example.com/users/{id}”: one request for all of them, or several at once, saves the rest.'],
            ['page', '90 queries, 1.7 % of the wall time', "$why saves the rest."],
        ], $found());
        $withoutText = $found(['texts' => ["\x1B" . str_repeat('Ä ', 100), 'PDO::commit', 'curl_multi_exec', 'fopen x']]);
        self::assertSame(['page'], array_column($withoutText, 0));
        self::assertStringContainsString('mostly “\x1B' . str_repeat('Ä ', 58) . '…”', $withoutText[0][2]);
    }

    public function testAnOperationIsSlowByItselfAndNotByItsNumber(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'page', 'PDO::query', 'other'],
            'fn' => [0, 1, 2, 3],
            'depth' => [0, 1, 2, 1],
            'ct' => [1, 1, 120, 1],
            'self' => ['wt' => [0, 0, 200_000_000, 800_000_000]],
        ]);
        $ms = 1_000_000;

        self::assertSame(
            ['slow-operation:page: One call of 200 ms, 20.0 % of the wall time'],
            self::figures($tree, ['sql', 'SELECT a', 2, 1, 200 * $ms, 200 * $ms, 1]),
        );
        self::assertSame([], self::figures($tree, ['sql', 'SELECT a', 2, 1, 199 * $ms, 199 * $ms, 1]), 'less than a fifth');
        self::assertSame(
            ['slow-operation:page: 4 calls of 75.0 ms, 30.0 % of the wall time'],
            self::figures($tree, ['file', 'fopen a/{id}', 2, 4, 300 * $ms, 100 * $ms, 4]),
        );
        $name = ['file', 'file_put_contents', 2, 1, 900 * $ms, 900 * $ms, 1];
        self::assertSame([], self::figures($tree, $name), 'the name of a function alone');
        self::assertSame(
            ['n-plus-one:page: 50 queries, 90.0 % of the wall time'],
            self::figures($tree, ['sql', 'SELECT a', 2, 50, 900 * $ms, 100 * $ms, 50]),
            'slow because it is repeated',
        );
        self::assertSame(
            [
                'n-plus-one:page: 50 queries, 90.0 % of the wall time',
                'slow-operation:page: The slowest of 50 calls 400 ms, 40.0 % of the wall time',
            ],
            self::figures($tree, ['sql', 'SELECT a', 2, 50, 900 * $ms, 400 * $ms, 50]),
        );
        self::assertSame(
            [
                'slow-operation:page: One call of 500 ms, 50.0 % of the wall time',
                'n-plus-one:page: 60 queries, 1.0 % of the wall time',
            ],
            self::figures(
                $tree,
                ['sql', 'SELECT slow', 2, 1, 500 * $ms, 500 * $ms, 1],
                ['sql', 'SELECT a', 2, 60, 10 * $ms, $ms, 60],
            ),
            'a slow one beside a loop is no part of it',
        );
    }

    public function testCollectionsOfGarbageCountFromATwentiethOfTheTime(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'page'],
            'fn' => [0, 1],
            'depth' => [0, 1],
            'ct' => [1, 1],
            'self' => ['wt' => [900_000_000, 100_000_000]],
        ]);
        $found = static fn (int $ns): array => self::ofOperations($tree, [['gc', 'collect garbage', 1, 7, $ns, $ns, 7]]);

        self::assertSame([], $found(49_999_999));
        $finding = $found(50_000_000)[0];
        self::assertSame(['page', '7 collections of garbage, 5.0 % of the wall time'], [$finding->symbol, $finding->figure]);
        self::assertSame('operations', $finding->view);
    }

    public function testOfSeveralTextsTheOneThatRepeatsMostIsNamed(): void
    {
        $rows = [
            ['sql', 'SELECT a', 2, 90, 90000, 2000, 90],
            ['sql', 'SELECT b', 2, 100, 90000, 2000, 100],
            ['sql', 'SELECT c', 2, 80, 90000, 2000, 80],
        ];
        $tree = CallTree::fromArray([
            'names' => ['main()', 'page', 'PDO::query'],
            'fn' => [0, 1, 2],
            'depth' => [0, 1, 2],
            'ct' => [1, 1, 270],
            'self' => ['wt' => [0, 0, 270000]],
        ]);
        $operations = Operations::fromArray(OperationsRun::data($rows), $tree->count());
        $found = self::find($tree->toEdges(), RunMeta::fromArray([]), new OperationReport($operations, $tree));

        self::assertCount(1, $found);
        self::assertStringContainsString('asks the database again, most often “SELECT b”: ', $found[0]->why);
    }

    public function testAPairOfFunctionsThatCallEachOtherEnds(): void
    {
        self::assertSame('n-plus-one:b', self::rules([
            'a==>b' => ['ct' => 40], 'b==>a' => ['ct' => 40], 'b==>PDO::query' => ['ct' => 80],
        ]));
    }

    public function testTheOwnTimeIsTheFunctionsAlone(): void
    {
        $run = static fn (int $self): array => [
            'main()' => ['ct' => 1, 'wt' => 1000, 'cpu' => 1000],
            'main()==>f' => ['ct' => 1, 'wt' => 900, 'cpu' => $self + 100],
            'f==>g' => ['ct' => 1, 'wt' => 100, 'cpu' => 100],
        ];

        self::assertSame('dominant-function:f', self::rules($run(200)));
        self::assertSame('', self::rules($run(199)), 'wall time does not count where there is CPU time');
    }

    public function testThePlaceOfPhpsOwnFunctionIsTheProgramsThatCallsIt(): void
    {
        $run = static fn (int $mine, int $other): array => [
            'main()' => ['ct' => 1, 'wt' => 1000],
            'main()==>mine' => ['ct' => 1, 'wt' => $mine],
            'main()==>other' => ['ct' => 1, 'wt' => $other],
            'mine==>array_map' => ['ct' => 1, 'wt' => $mine],
            'array_map==>strrev' => ['ct' => 9, 'wt' => $mine],
            'other==>strrev' => ['ct' => 9, 'wt' => $other],
        ];

        self::assertSame('dominant-function:mine', self::rules($run(500, 300)));
        self::assertSame('dominant-function:other', self::rules($run(300, 500)));
        $found = self::find(Profile::fromEdges($run(500, 300)), RunMeta::fromArray([]));
        self::assertSame('80.0 % of the wall time in strrev', $found[0]->figure);
        self::assertSame('dominant-function:strrev', self::rules([
            'main()' => ['ct' => 1, 'wt' => 1000],
            'a==>strrev' => ['ct' => 9, 'wt' => 300],
            'b==>strrev' => ['ct' => 9, 'wt' => 300],
            'c==>strrev' => ['ct' => 9, 'wt' => 300],
        ]), 'none of them has half of it');
        self::assertSame('dominant-function:strrev', self::rules([
            'main()' => ['ct' => 1, 'wt' => 1000],
            'main()==>strrev' => ['ct' => 9, 'wt' => 300],
        ]), 'the script itself is no place');
    }

    public function testWaitingIsWallTimeWithoutCpuTimeInFunctionsThatWait(): void
    {
        $run = static fn (string $name, int $cpu): array => [
            'main()' => ['ct' => 1, 'wt' => 1000, 'cpu' => 500],
            "main()==>$name" => ['ct' => 1, 'wt' => 600, 'cpu' => $cpu],
        ];

        self::assertSame('waiting:curl_exec#https://a.example/', self::rules($run('curl_exec#https://a.example/', 99)));
        self::assertSame('', self::rules($run('fread', 101)));
        self::assertSame('', self::rules($run('App\fread', 0)), 'another process may have had the processor');
    }

    public function testHalfOfAProgramThatDidNotComputeIsAFindingWhoeverTookIt(): void
    {
        $run = static fn (int $slept): array => [
            'main()' => ['ct' => 1, 'wt' => 700_000, 'cpu' => 350_000],
            'main()==>usleep' => ['ct' => 9, 'wt' => $slept, 'cpu' => 0],
            'main()==>work' => ['ct' => 1, 'wt' => 340_000, 'cpu' => 100_000],
        ];
        foreach ([0, 50_000, 100_000, 174_000, 176_000, 250_000, 350_000] as $slept) {
            $rules = self::rules($run($slept));
            self::assertMatchesRegularExpression('/waiting:usleep|not-running:/', $rules, (string) $slept);
        }
        $found = array_column(self::find(Profile::fromEdges($run(100_000)), RunMeta::fromArray([])), null, 'rule');
        $found = [$found['not-running'] ?? self::fail('no finding')];
        self::assertSame('35.7 % of the wall time neither computing nor in a function that waits', $found[0]->figure);
        self::assertSame(['work', '34.3 % of the wall time', false], [$found[0]->symbol, $found[0]->most, $found[0]->isProgram]);
        self::assertSame('', self::rules(['main()' => ['ct' => 1, 'wt' => 700, 'cpu' => 350]]));
    }

    public function testTheFigureOfAGroupNamesTheGroup(): void
    {
        $sleeps = [
            'main()' => ['ct' => 1, 'wt' => 100_000, 'cpu' => 60_000],
            'main()==>usleep' => ['ct' => 9, 'wt' => 24_000, 'cpu' => 0],
            'main()==>fwrite' => ['ct' => 9, 'wt' => 7_000, 'cpu' => 500],
        ];
        $waiting = self::find(Profile::fromEdges($sleeps), RunMeta::fromArray([]))[0];
        self::assertSame(['Sleeping 24.0 %, Files 6.5 % of the wall time waited', 'usleep'], [$waiting->figure, $waiting->symbol]);
        self::assertSame('the most, 24.0 % of the wall time, in', $waiting->shown()->between);
        self::assertSame('24.0 % of the wall time', $waiting->shown()->json()['function_figure']);
        unset($sleeps['main()==>fwrite']);
        $sleeps['main()==>usleep'] = ['ct' => 9, 'wt' => 31_000, 'cpu' => 0];
        $alone = self::find(Profile::fromEdges($sleeps), RunMeta::fromArray([]))[0];
        self::assertSame(['Sleeping 31.0 % of the wall time waited', ''], [$alone->figure, $alone->shown()->between]);

        $files = ['main()' => ['ct' => 1, 'wt' => 100_000]];
        for ($i = 1; $i <= 12; $i++) {
            $files["main()==>load::$i.php"] = ['ct' => 1, 'wt' => $i === 5 ? 6_400 : 1_400];
        }
        foreach ([RunMeta::fromArray([]), RunMeta::fromArray(['samples' => 100])] as $meta) {
            $loading = self::find(Profile::fromEdges($files), $meta)[0];
            self::assertSame('loading-code', $loading->rule);
            self::assertSame('12 files loaded, 21.8 % of the wall time', $loading->figure);
            self::assertSame(['load::5.php', '6.4 % of the wall time'], [$loading->symbol, $loading->most]);
        }
        $made = ['a==>Exception::__construct' => ['ct' => 60], 'b==>Exception::__construct' => ['ct' => 80]];
        $thrown = self::find(Profile::fromEdges($made), RunMeta::fromArray([]))[0];
        $thrown = $thrown->shown();
        self::assertSame(['140 exceptions', 'the most, 80, in', 'b'], [$thrown->text, $thrown->between, $thrown->symbol]);
    }

    /** The finding has the figures of the bar: what a query computed is no waiting, nor is the collecting of garbage. */
    public function testWaitingHasTheFiguresOfTheBar(): void
    {
        $ms = 1_000_000;
        $tree = CallTree::fromArray([
            'names' => ['main()', 'page', 'PDOStatement::execute', 'PDO::__construct', 'usleep'],
            'fn' => [0, 1, 2, 3, 4],
            'depth' => [0, 1, 2, 2, 1],
            'ct' => [1, 1, 30, 1, 1],
            'self' => [
                'wt' => [60 * $ms, 10 * $ms, 73 * $ms, 7 * $ms, 50 * $ms],
                'cpu' => [60 * $ms, 10 * $ms, 20 * $ms, $ms, 0],
            ],
        ]);
        $report = new OperationReport(Operations::fromArray(OperationsRun::data([
            ['sql', 'SELECT a', 2, 30, 73 * $ms, 4 * $ms, 30],
            ['sql', 'PDO::__construct', 3, 1, 7 * $ms, 7 * $ms, 1],
            ['gc', 'collect garbage', 1, 1, 4 * $ms, 4 * $ms, 1],
            ['file', 'fopen x', 1, 1, $ms, $ms, 1],
        ]), $tree->count()), $tree);
        $found = array_column(self::find($tree->toEdges(), RunMeta::fromArray([]), $report), null, 'rule');

        self::assertSame('SQL 29.5 %, Sleeping 25.0 % of the wall time waited', $found['waiting']->figure);
        self::assertSame(80 * $ms, $report->kinds()['sql']['total']);
        self::assertSame('the most, 26.5 % of the wall time, in', $found['waiting']->shown()->between);
        self::assertSame(['PDOStatement::execute', 'operations'], [$found['waiting']->symbol, $found['waiting']->view]);
    }

    /** One source: a reader who looks at both sees the same percentages. */
    public function testWaitingAndNotRunningHaveTheSharesOfTheBar(): void
    {
        $profile = Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 100_000, 'cpu' => 20_000],
            'main()==>PDO::query' => ['ct' => 9, 'wt' => 33_300, 'cpu' => 3_000],
            'main()==>work' => ['ct' => 1, 'wt' => 50_700, 'cpu' => 12_000],
            'work==>usleep' => ['ct' => 1, 'wt' => 4_400, 'cpu' => 0],
        ]);
        $run = new MadeRun(null, 'made', RunMeta::fromArray([]), null, $profile);
        $bar = implode('; ', TimeBar::of($run->times()->whole())?->parts() ?? []);
        $found = array_column(Findings::of($run), null, 'rule');
        foreach (['waiting', 'not-running'] as $rule) {
            preg_match_all('/[0-9.]+ %/', $found[$rule]->figure ?? self::fail("no $rule"), $shares);
            self::assertNotSame([], $shares[0]);
            foreach ($shares[0] as $share) {
                self::assertStringContainsString("($share)", $bar, $rule);
            }
        }
    }

    /** Nobody knows what waited where PHP's own functions were left out: nothing is said, instead of something wrong. */
    public function testWithoutPhpsOwnFunctionsAndOperationsNothingIsSaidOfIdleTime(): void
    {
        $profile = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 90_000, 'cpu' => 10_000]]);
        $rules = static fn (array $meta): array => array_column(self::find($profile, RunMeta::fromArray($meta)), 'rule');
        self::assertSame(['not-running'], $rules([]));
        self::assertSame([], $rules(['flag_names' => ['CPU', 'NO_BUILTINS']]));
    }

    public function testNothingIsSaidOfTimesBelowAMillisecond(): void
    {
        $run = static fn (int $wall): array => [
            'main()' => ['ct' => 1, 'wt' => $wall, 'cpu' => $wall],
            'main()==>slow' => ['ct' => 1, 'wt' => 800, 'cpu' => 800],
        ];
        self::assertSame('', self::rules($run(999)));
        self::assertSame('dominant-function:slow', self::rules($run(1000)));
    }

    public function testWhatEachJobLeavesIsAFinding(): void
    {
        /** @param list<array{list<string>, string, int, int, int}> $rows */
        $find = static function (array $rows, int $marks, array $more = []): array {
            ['tree' => $tree, 'memory' => $data] = MemoryRun::data(array_values($rows), $marks, $more);
            $tree = CallTree::fromArray($tree);
            $memory = MemoryProfile::fromArray($data, $tree);
            $none = static fn (): null => null;
            $evidence = new Evidence($tree->toEdges(), RunMeta::fromArray([]), static fn (): MemoryProfile => $memory, $none);

            return array_map(static fn (Finding $f): string => "$f->rule:$f->symbol: $f->figure", Findings::find($evidence));
        };
        /** @return list<array{list<string>, string, int, int, int}> */
        $leak = static fn (int $from, int $to): array => array_map(
            static fn (int $mark): array => [['Worker::run', 'Log::write'], 'string', $mark, 1, 7900],
            range($from, $to),
        );
        $cache = [['Worker::run', 'Cache::load'], 'array', 3, 40, 5 << 20];

        self::assertSame(
            ['kept-memory:Log::write: 301 KB still held, some from 39 of 39 intervals between marks'],
            $find($leak(1, 39), 40),
        );
        self::assertSame([
            'kept-memory:Cache::load: 5.00 MB still held, 94.4 % of the live memory',
            'kept-memory:Log::write: 301 KB still held, some from 39 of 39 intervals between marks',
        ], $find([$cache, ...$leak(1, 39)], 40), 'beside a cache that holds more');
        // Each second span is of a job that leaks: no path is in nearly all intervals.
        $half = array_values(array_filter($leak(1, 39), static fn (array $row): bool => $row[2] % 2 === 0));
        $job = array_map(static fn (int $mark): int => $mark % 2, range(1, 40));
        $size = static fn (int $until): array => array_map(
            static fn (int $mark): int => 1_000_000 + 7900 * intdiv(min($mark, $until), 2),
            range(0, 39),
        );
        self::assertSame([], $find($half, 40));
        $jobs = ['jobs' => ['mail', 'import'], 'at_marks' => ['job' => $job, 'size' => $size(40)]];
        self::assertSame(
            ['kept-memory:Log::write: 147 KB still held of 19 spans of "import", which add 7.71 KB each'],
            $find($half, 40, $jobs),
        );
        $jobs['at_marks']['size'] = $size(20);
        self::assertSame([], $find($half, 40, $jobs), 'it has stopped');
        self::assertSame([], $find($leak(1, 20), 40), 'it stopped: a cache that was filled');
        self::assertSame([], $find($leak(1, 2), 3), 'two intervals are no rule');
        self::assertSame([], $find([[['Worker::run', 'Log::write'], 'string', 0, 40, 40 * 7900]], 0), 'no marks');
    }

    public function testLevelsAndExceptionsAreCounted(): void
    {
        self::assertSame('deep-recursion:f', self::rules(['main()==>f' => ['ct' => 1], 'f==>f@99' => ['ct' => 1]]));
        self::assertSame('', self::rules(['main()==>f' => ['ct' => 1], 'f==>f@98' => ['ct' => 1]]));
        $made = static fn (int $count): array => [
            'main()==>parse' => ['ct' => $count],
            'parse==>Wrong::__construct' => ['ct' => $count],
            'Wrong::__construct==>Exception::__construct' => ['ct' => $count],
        ];
        self::assertSame('exceptions:parse', self::rules($made(100)));
        self::assertSame('', self::rules($made(99)));
    }

    /** What pictures light: the calls that a finding counts, and no others of the same functions. */
    public function testAFindingNamesTheCallsThatItIsAbout(): void
    {
        $calls = static function (array $edges, string $rule): array {
            foreach (self::find(Profile::fromEdges($edges), RunMeta::fromArray([])) as $finding) {
                if ($finding->rule === $rule) {
                    $isSet = static fn (mixed $part): bool => $part !== [] && $part !== '';

                    return array_filter(get_object_vars($finding->calls()), $isSet);
                }
            }
            self::fail($rule);
        };
        self::assertSame(['functions' => ['PDO::query', 'PDOStatement::execute'], 'below' => 'page'], $calls([
            'main()==>page' => ['ct' => 1],
            'page==>find' => ['ct' => 60],
            'find==>PDO::query' => ['ct' => 60],
            'page==>PDOStatement::execute' => ['ct' => 60],
            'main()==>PDO::exec' => ['ct' => 1],
        ], 'n-plus-one'));
        $time = static fn (int $wt, int $cpu): array => ['ct' => 1, 'wt' => $wt, 'cpu' => $cpu];
        self::assertSame(['functions' => ['strrev'], 'below' => 'mine'], $calls([
            'main()' => $time(1000, 1000),
            'main()==>mine' => $time(900, 900),
            'mine==>strrev' => $time(900, 900),
        ], 'dominant-function'));
        self::assertSame(['functions' => ['f']], $calls([
            'main()' => $time(1000, 1000),
            'main()==>f' => $time(900, 900),
        ], 'dominant-function'));
        self::assertSame(['functions' => ['usleep', 'fwrite']], $calls([
            'main()' => $time(100_000, 30_000),
            'main()==>fwrite' => $time(10_000, 10),
            'main()==>usleep' => $time(60_000, 0),
        ], 'waiting'));
        self::assertSame(['functions' => ['work']], $calls([
            'main()' => $time(100_000, 40_000),
            'main()==>work' => $time(70_000, 10_500),
            'main()==>other' => $time(20_000, 19_500),
        ], 'not-running'), 'where most of it was');
        self::assertSame(['functions' => ['Wrong::__construct']], $calls([
            'main()==>parse' => ['ct' => 100],
            'parse==>Wrong::__construct' => ['ct' => 100],
            'Wrong::__construct==>Exception::__construct' => ['ct' => 100],
        ], 'exceptions'));
        $loaded = $calls(array_merge(['main()' => ['ct' => 1, 'wt' => 2000]], ...array_map(
            static fn (int $file): array => ["main()==>load::$file.php" => ['ct' => 1, 'wt' => 100]],
            range(1, 12),
        )), 'loading-code');
        self::assertSame(['functions', 'prefixes'], array_keys($loaded));
        self::assertContains('load::', $loaded['prefixes']);
    }

    public function testASlowStatementIsItsPathsAndNotAllStatements(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'page', 'report', 'PDO::query'],
            'fn' => [0, 1, 3, 2, 3],
            'depth' => [0, 1, 2, 1, 2],
            'ct' => [1, 1, 3, 1, 2],
            'self' => ['wt' => [0, 0, 3_000_000, 0, 90_000_000]],
        ]);
        $found = self::ofOperations($tree, [
            ['sql', 'SELECT fast', 2, 3, 3_000_000, 1_000_000, 3],
            ['sql', 'SELECT slow', 4, 2, 90_000_000, 50_000_000, 2],
        ]);
        self::assertSame(['slow-operation'], array_column($found, 'rule'));
        self::assertSame([['main()', 'report', 'PDO::query']], $found[0]->calls()->paths);
        self::assertSame([], $found[0]->calls()->functions);
        self::assertMatchesRegularExpression('/\Aslow-operation-[0-9a-f]{8}\z/', $found[0]->id());
    }

    /** Another statement below the same place, by the same function, is not what the loop asks. */
    public function testRepeatedStatementsAreTheirPathsAndNotAllOfTheirFunction(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'list', 'find', 'PDOStatement::execute', 'start', 'other'],
            'fn' => [0, 1, 2, 3, 4, 3, 5, 3],
            'depth' => [0, 1, 2, 3, 2, 3, 1, 2],
            'ct' => [1, 1, 150, 150, 1, 1, 1, 1],
            'self' => ['wt' => [0, 0, 0, 15_000_000, 0, 100_000_000, 0, 100_000]],
        ]);
        $found = array_column(self::ofOperations($tree, [
            ['sql', 'SELECT a review', 3, 150, 15_000_000, 1_000_000, 150],
            // One slow statement beside the loop, and another place.
            ['sql', 'SELECT the session', 5, 1, 100_000_000, 100_000_000, 1],
            ['sql', 'SELECT a rate', 7, 1, 100_000, 100_000, 1],
        ]), null, 'rule');
        $calls = $found['n-plus-one']->calls();
        self::assertSame([['main()', 'list', 'find', 'PDOStatement::execute']], $calls->paths);
        self::assertSame([[], []], [$calls->functions, $calls->prefixes]);
    }

    public function testEveryRuleIsDocumented(): void
    {
        $names = array_map(static fn (Rule $rule): string => $rule::NAME, Findings::rules());
        preg_match_all('/^\| `([a-z-]+)` \|/m', (string) file_get_contents(__DIR__ . '/../../docs/findings.md'), $match);

        self::assertSame($names, $match[1]);
    }
}

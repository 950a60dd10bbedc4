<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Check\Baseline;
use XHProf\Check\Budget;
use XHProf\Check\Checker;
use XHProf\Check\FigureName;
use XHProf\Check\Result;
use XHProf\Check\Subjects;
use XHProf\Exception\InvalidCheck;
use XHProf\Findings\Findings;
use XHProf\Findings\Rule;
use XHProf\Profile\CallTree;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\CheckedRuns;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/CheckedRuns.php';
require_once __DIR__ . '/Support/MemoryRun.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Budgets and baselines, held against runs whose figures are known. */
final class CheckTest extends TestCase
{
    use TemporaryFolder;

    /**
     * @param array<string, mixed> $limits
     * @param string ...$runs names
     *
     * @return list<string>
     */
    private function limits(array $limits, string ...$runs): array
    {
        $found = CheckedRuns::check($this->store(), array_values($runs), ['limits' => $limits]);

        return CheckedRuns::texts($found);
    }

    private function store(): RunFolder
    {
        return new RunFolder($this->folder);
    }

    public function testEachFigureOfARun(): void
    {
        CheckedRuns::save($this->store(), 'a', 7);
        $found = $this->limits([
            'calls' => 17,
            'calls of Shop\Repository::find' => 7,
            'calls of Shop\*' => 8,
            'calls of /^PDO/' => 6,
            'operations' => 7,
            'sql' => 6,
            'http' => 0,
            'sql duplicates' => 1,
            'sql in loops' => 0,
            'sql like SELECT * FROM author*' => 7,
            'sql like INSERT *' => 0,
            'files' => 0,
            'exceptions' => 0,
            'peak' => '1M',
            'process peak' => '4 MB',
            'memory' => 1024,
            'wall' => '9.9 ms',
            'cpu' => '9 ms',
            'wall of Shop\Page::show' => '4 ms',
            'self wall of Shop\Page::show' => '1ms',
            'waiting' => '1 ms',
            'waiting.sql' => '999 us',
            'waiting.http' => '0 ms',
            'not running' => '0 ms',
            'waiting.sql of Shop\Repository::find' => '1 ms',
        ], 'a');

        self::assertSame([
            'over calls: 18, at most 17',
            'passed calls of Shop\Repository::find: 7, at most 7',
            'passed calls of Shop\*: 8, at most 8',
            'over calls of /^PDO/: 7, at most 6',
            'passed operations: 7, at most 7',
            'over sql: 7, at most 6',
            'passed http: 0, at most 0',
            'passed sql duplicates: 1, at most 1',
            'over sql in loops: 7, at most 0',
            'passed sql like SELECT * FROM author*: 7, at most 7',
            'passed sql like INSERT *: 0, at most 0',
            'over files: 1, at most 0',
            'passed exceptions: 0, at most 0',
            'over peak: 2.00 MB, at most 1.00 MB',
            'passed process peak: 4.00 MB, at most 4.00 MB',
            'passed memory: 1.00 KB, at most 1.00 KB',
            'over wall: 10.0 ms, at most 9.90 ms; one measurement',
            'passed cpu: 9.00 ms, at most 9.00 ms; one measurement',
            'passed wall of Shop\Page::show: 4.00 ms, at most 4.00 ms; one measurement',
            'passed self wall of Shop\Page::show: 1.00 ms, at most 1.00 ms; one measurement',
            'passed waiting: 1.00 ms, at most 1.00 ms; one measurement',
            'over waiting.sql: 1.00 ms, at most 999 µs; one measurement',
            'passed waiting.http: 0 µs, at most 0 µs; one measurement',
            'passed not running: 0 µs, at most 0 µs; one measurement',
            'passed waiting.sql of Shop\Repository::find: 1.00 ms, at most 1.00 ms; one measurement',
        ], $found);
    }

    public function testAFailureNamesFunctionPathOperationAndCode(): void
    {
        CheckedRuns::save($this->store(), 'a', 7);
        [$found] = CheckedRuns::check($this->store(), ['a'], ['name' => 'x', 'route' => 'GET /reviews', 'limits' => ['sql' => 1]]);

        self::assertSame('Shop\Page::show', $found->symbol, 'the function with the loop');
        self::assertSame(['PDOStatement::execute', 'Shop\Repository::find', 'Shop\Page::show', 'main()'], $found->path);
        self::assertSame('SELECT name FROM author WHERE id = ?', $found->what);
        self::assertSame('/srv/shop/src/Page.php:10', $found->place?->text());
        self::assertSame(['b.json', 7, 'x', 'GET /reviews', 7], [
            $found->file, $found->line, $found->budget, $found->subject, $found->number,
        ]);
    }

    public function testARecursionIsOneFunction(): void
    {
        $this->store()->save(Runs::small(), 'cli', 'r', ['command' => 'php r.php']);

        self::assertSame(['passed calls of b: 6, at most 6', 'over calls of c: 4, at most 3'], $this->limits([
            'calls of b' => 6, 'calls of c' => 3,
        ], 'r'));
    }

    /** A figure that is not there is never kept. */
    public function testWhatWasNotRecordedFails(): void
    {
        $store = $this->store();
        $edges = ['main()' => ['ct' => 1, 'wt' => 5], 'main()==>f' => ['ct' => 2, 'wt' => 5]];
        $store->save($edges + ['f==>PDO::query' => ['ct' => 2, 'wt' => 5]], 'cli', 'bare');
        $sampled = ['samples' => 5, 'sample_interval_us' => 1, 'mode' => 'sample'];
        $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'cli', 'sampled', $sampled);
        $why = static fn (array $texts): array => array_map(
            static fn (string $text): string => implode(' ', array_slice(explode(' ', $text), 0, 6)),
            $texts,
        );
        self::assertSame([
            'unknown sql is not known: this',
            'unknown peak is not known: memory',
            'unknown cpu is not known: CPU',
            'unknown allocated is not known: allocations',
            'unknown allocated blocks is not known:',
            'unknown waiting is not known: CPU',
            'unknown p95 is not known: only',
            'unknown process peak is not known:',
            'unknown cpu of f is not',
        ], $why($this->limits([
            'sql' => 9, 'peak' => '1G', 'cpu' => '1 s', 'allocated' => '1G', 'allocated blocks' => 9, 'waiting' => '1 s',
            'p95' => '1 s', 'process peak' => '1G', 'cpu of f' => '1 s',
        ], 'bare')));
        $counts = ['calls' => 9, 'calls of f' => 9, 'sql' => 9, 'files' => 9, 'exceptions' => 9];
        foreach ($this->limits($counts, 'sampled') as $text) {
            self::assertStringContainsString('this run was sampled: samples are no calls', $text);
            self::assertStringStartsWith('unknown ', $text);
        }
    }

    /** A run without a record of operations did none if it called no function that does any. */
    public function testNoOperations(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 5], 'main()==>curl_exec' => ['ct' => 2, 'wt' => 5]];
        $this->store()->save($edges + ['main()==>fgets' => ['ct' => 9, 'wt' => 1]], 'cli', 'curl');
        $this->store()->save($edges, 'cli', 'left-out', ['flag_names' => ['NO_BUILTINS']]);
        $states = fn (string $run): array => array_map(static fn (string $text): string => strtok($text, ' ') ?: '', $this->limits([
            'sql' => 0, 'http' => 0, 'operations' => 0, 'file' => 0, 'sql in loops' => 0, 'gc' => 0,
        ], $run));

        self::assertSame(['passed', 'unknown', 'unknown', 'passed', 'passed', 'unknown'], $states('curl'));
        self::assertSame(array_fill(0, 6, 'unknown'), $states('left-out'));
    }

    public function testAllocations(): void
    {
        $all = MemoryRun::worker();
        MemoryRun::save($this->store(), 'cli', 'm', $all, 4);
        $bytes = 10 * array_sum(array_column($all, 4));
        $blocks = 10 * array_sum(array_column($all, 3));

        $found = $this->limits(['allocated' => $bytes, 'allocated blocks' => $blocks - 1], 'm');
        self::assertStringStartsWith('passed allocated: ', $found[0]);
        self::assertStringStartsWith('over allocated blocks: ', $found[1]);
    }

    public function testAFunctionThatIsNotCalled(): void
    {
        CheckedRuns::save($this->store(), 'a');
        self::assertSame([
            'unknown calls of Shop\Repository::fnd is not known: no function "Shop\Repository::fnd" was called;'
                . ' did you mean "Shop\Repository::find"?',
            'unknown calls of find is not known: no function "find" was called; did you mean "Shop\Repository::find"?',
            'unknown calls of SHOP\REPOSITORY::FIND is not known: no function "SHOP\REPOSITORY::FIND" was called;'
                . ' did you mean "Shop\Repository::find"?',
            'unknown calls of Legacy\Mailer::send is not known: no function "Legacy\Mailer::send" was called',
            'passed calls of Legacy\Mailer::deliver: 0, at most 0; no function "Legacy\Mailer::deliver" was called',
        ], $this->limits([
            'calls of Shop\Repository::fnd' => 0,
            'calls of find' => 9,
            'calls of SHOP\REPOSITORY::FIND' => 0,
            'calls of Legacy\Mailer::send' => 3,
            'calls of Legacy\Mailer::deliver' => 0,
        ], 'a'));
    }

    /** A part of a run has less than the whole: only what is over already can be said. */
    public function testARunThatEndedEarly(): void
    {
        CheckedRuns::save($this->store(), 'part', 7, ['ended_by' => 'SIGTERM']);
        $found = CheckedRuns::texts(CheckedRuns::check($this->store(), ['part'], [
            'limits' => ['sql' => 6, 'calls' => 100], 'findings' => ['exceptions' => 'none'],
        ]));

        self::assertSame('over sql: 7, at most 6', $found[0]);
        self::assertStringStartsWith('unknown calls is not known: the run is a part, ended when the process got', $found[1]);
        self::assertStringStartsWith('unknown findings is not known: the run is a part', $found[2]);
    }

    /** Calls that were folded are counted, in each function and in all. */
    public function testATruncatedTree(): void
    {
        CheckedRuns::save($this->store(), 't', 3, ['nodes_dropped' => 100]);
        RunFiles::change($this->folder, 't.web', 'tree', static function (array $tree): array {
            $tree['names'] = [...array_slice($tree['names'], 0, 5), '(truncated)'];
            $tree['file'] = [-1, 0, 1, -1, 0, -1];
            $tree['ct'] = [1, 1, 1, 1, 3, 103];

            return $tree;
        });

        self::assertSame(['over calls: 110, at most 109', 'over calls of PDOStatement::execute: 103, at most 100'], $this->limits([
            'calls' => 109, 'calls of PDOStatement::execute' => 100,
        ], 't'));
    }

    public function testSeveralRunsCountsByEachTimesByTheTest(): void
    {
        foreach ([3, 3, 5] as $i => $queries) {
            CheckedRuns::save($this->store(), "c$i", $queries, [], 10000 + 10 * $i);
        }
        self::assertSame([
            'over sql: 5, at most 4; from 3 to 5 in 3 runs',
            'passed wall: 10.0 ms, at most 11.0 ms; mean of 3 runs',
            'over wall: 10.0 ms, at most 9.90 ms; mean of 3 runs, p = 0.003',
            'passed wall: 10.0 ms, at most 10.0 ms; mean of 3 runs, p = 0.35: that may be chance',
        ], $this->limits(['sql' => 4, 'wall' => ['11 ms', '9900 us', '10003 us']], 'c0', 'c1', 'c2'));
        self::assertSame(
            ['over sql: 5, at most 4; from 3 to 5 in 3 runs'],
            $this->limits(['sql' => 4], 'c0,c1', $this->folder),
            'a mean is its runs, and one that is named twice is one',
        );
    }

    /** @return iterable<string, array{string, non-empty-string}> a budget, and what is said of it */
    public static function mistakes(): iterable
    {
        $budget = static fn (string $lines): string => "{\n\"budgets\": [\n{\n$lines\n}\n]\n}";
        yield 'key' => [$budget('"rout": "GET /reviews"'), 'b.json:4: unknown key "rout"; did you mean "route"?'];
        yield 'a limit one level too high' => [$budget('"sql": 3'), 'b.json:4: unknown key "sql"; it belongs into "limits"'];
        yield 'figure' => [$budget("\"limits\": {\n\"cals\": 3}"), 'b.json:5: unknown figure "cals"; did you mean "calls"?'];
        yield 'kind' => [$budget('"limits": {"sqll duplicates": 3}'), 'b.json:4: unknown figure "sqll duplicates"; did you mean "'];
        yield 'part' => [$budget('"limits": {"waiting.sq": "1 ms"}'), 'b.json:4: unknown figure "waiting.sq"; did you mean "waiti'];
        yield 'of' => [$budget('"limits": {"peak of f": 3}'), 'b.json:4: functions have calls, wall, cpu'];
        yield 'like' => [$budget('"limits": {"calls like f": 3}'), 'b.json:4: "calls like ..." needs a kind of operations: operat'];
        yield 'expression' => [$budget('"limits": {"calls of /(/": 3}'), 'b.json:4: this is no regular expression'];
        yield 'time without unit' => [$budget('"limits": {"wall": 200}'), 'b.json:4: "wall" is a time and needs a unit: write "20'];
        yield 'unit' => [$budget('"limits": {"wall": "200 mss"}'), 'b.json:4: "wall" takes a time like "20 ms"'];
        yield 'unit of a count' => [$budget('"limits": {"sql": "20 ms"}'), 'b.json:4: "sql" takes a number like 20'];
        yield 'unit of bytes' => [$budget('"limits": {"peak": "32 X"}'), 'b.json:4: "peak" takes a size like "32M"'];
        yield 'growth' => [$budget('"limits": {"sql": "+5 x"}'), 'b.json:4: "sql" takes a number like 20'];
        yield 'below 0' => [$budget('"limits": {"sql": -1}'), 'b.json:4: "sql" takes a number like 20, or a growth like "+5%", no'];
        yield 'half a call' => [$budget('"limits": {"sql": 1.5}'), 'b.json:4: "sql" takes a number'];
        yield 'a list in a list' => [$budget('"limits": {"sql": [[1]]}'), 'b.json:4: "sql" takes a number or a text, not a list'];
        yield 'no bound' => [$budget('"limits": {"sql": []}'), 'b.json:4: "sql" has no bound'];
        yield 'limits' => [$budget('"limits": [1]'), 'b.json:4: "limits" is a list, and must be an object'];
        yield 'nothing' => [$budget('"route": "GET /reviews"'), 'b.json:3: this budget has neither limits nor findings'];
        yield 'findings' => [$budget('"findings": "non"'), 'b.json:4: "findings" takes "none", "none new" or "any", not "non"; di'];
        yield 'rule' => [
            $budget("\"findings\": {\n\"n-plus-on\": \"none\"}"),
            'b.json:5: unknown rule of findings "n-plus-on"; did you mean "n-plus-one"?',
        ];
        yield 'route' => [
            $budget("\"limits\": {\"sql\": 1},\n\"route\": \"GET /review\""),
            'b.json:5: no run has the route "GET /review"; did you mean "GET /reviews"?',
        ];
        yield 'another route' => [$budget('"route": "POST /x", "findings": "none"'), 'b.json:4: no run has the route "POST /x", b'];
        yield 'test' => [$budget('"test": "a::b", "findings": "none"'), 'b.json:4: no run has the test "a::b"; none has a test'];
        yield 'optional' => [$budget('"optional": "yes", "findings": "none"'), 'b.json:4: "optional" is a text, and must be true '];
        yield 'empty pattern' => [$budget('"route": "", "findings": "none"'), 'b.json:4: "route": a pattern is empty'];
        yield 'top' => ['{"budget": []}', 'b.json:1: unknown key "budget"; did you mean "budgets"?'];
        yield 'no budgets' => ['{"budgets": []}', 'b.json:1: there is no budget'];
        yield 'without a baseline' => [$budget('"limits": {"sql": "+5%"}'), 'b.json:3: this budget speaks of a baseline'];
    }

    /** @param non-empty-string $message */
    #[DataProvider('mistakes')]
    public function testAMistakeIsNamedWithItsLine(string $budgets, string $message): void
    {
        CheckedRuns::save($this->store(), 'a');
        try {
            CheckedRuns::check($this->store(), ['a'], $budgets);
            self::fail('it was taken');
        } catch (InvalidCheck $e) {
            self::assertStringStartsWith($message, $e->getMessage());
        }
    }

    public function testTwoRoutesOfWhichOneHasABudget(): void
    {
        CheckedRuns::save($this->store(), 'a', 3);
        CheckedRuns::save($this->store(), 'b', 30, ['route' => 'GET /others', 'url' => '/others']);
        $found = CheckedRuns::check($this->store(), [$this->folder], ['route' => 'GET /rev*', 'limits' => ['sql' => 3]]);
        self::assertSame(['GET /reviews'], array_column($found, 'subject'));
        $found = CheckedRuns::check($this->store(), [$this->folder], ['limits' => ['sql' => 3]]);
        self::assertSame(['GET /others', 'GET /reviews'], array_column($found, 'subject'));
        self::assertSame(['over', 'passed'], array_map(static fn (Result $result): string => $result->state->value, $found));
    }

    public function testSelectors(): void
    {
        $store = $this->store();
        $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'tests', 'x', [
            'command' => 'php vendor/bin/phpunit', 'release' => '1.2', 'meta' => ['test' => 'ShopTest::testCart', 'shard' => 3],
        ]);
        CheckedRuns::save($store, 'a');
        foreach (
            [
                ['test' => 'ShopTest::*'], ['command' => '*phpunit'], ['source' => 'tests'], ['release' => '1.2'],
                ['meta' => ['shard' => '3']],
            ] as $selector
        ) {
            $found = CheckedRuns::check($store, [$this->folder], $selector + ['limits' => ['calls' => 1]]);
            self::assertSame(['ShopTest::testCart'], array_column($found, 'subject'));
        }
        foreach ([['url' => '/reviews'], ['url' => '/reviews?page=2'], ['route' => '/^GET .re/']] as $selector) {
            $found = CheckedRuns::check($store, [$this->folder], $selector + ['limits' => ['sql' => 9]]);
            self::assertSame(['GET /reviews'], array_column($found, 'subject'));
        }
        $both = CheckedRuns::check($store, [$this->folder], [
            'url' => '/reviews', 'source' => 'tests', 'optional' => true, 'findings' => 'none',
        ]);
        self::assertSame(['skipped budget: no run is of it'], CheckedRuns::texts($both));
    }

    public function testABaselineIsSortedAndStaysTheSame(): void
    {
        foreach ([1, 2, 3] as $i) {
            CheckedRuns::save($this->store(), "a$i", 60, [], 10000 + 7 * $i);
        }
        $budget = ['limits' => ['wall' => '+5%', 'sql in loops' => '+0', 'cpu' => '9 s']];
        $json = CheckedRuns::checker($this->store(), [$this->folder], $budget)->baseline()->json();
        self::assertSame(<<<'JSON'
            {
                "xhprof_baseline": 1,
                "subjects": {
                    "GET /reviews": {
                        "php": "8.2",
                        "flags": "CPU MEMORY",
                        "runs": 3,
                        "figures": {
                            "cache": 0,
                            "calls": 124,
                            "exceptions": 0,
                            "files": 1,
                            "http": 0,
                            "operations": 60,
                            "sql": 60,
                            "sql in loops": 60,
                            "wall": {
                                "mean": 10010,
                                "deviation": 7,
                                "runs": 3
                            }
                        },
                        "findings": [
                            {
                                "rule": "n-plus-one",
                                "where": "Shop\\Page::show",
                                "what": "SELECT name FROM author WHERE id = ?"
                            }
                        ]
                    }
                }
            }

            JSON, $json);
        foreach ([1, 2, 3] as $i) {
            CheckedRuns::save($this->store(), "a$i", 60, [], 10004 + 7 * $i);
        }
        self::assertSame($json, CheckedRuns::checker($this->store(), [$this->folder], $budget, $json)->baseline()->json());
        foreach ([1, 2, 3] as $i) {
            CheckedRuns::save($this->store(), "a$i", 60, [], 10404 + 7 * $i);
        }
        $slower = CheckedRuns::checker($this->store(), [$this->folder], [], $json)->baseline()->json();
        self::assertStringContainsString('"mean": 10420', $slower, 'what it has is kept up, whatever budgets name');
    }

    public function testGrowthIsTestedAsByDiff(): void
    {
        $store = $this->store();
        foreach ([1, 2, 3] as $i) {
            CheckedRuns::save($store, "a$i", 3, [], 10000 + 100 * $i);
        }
        $budget = ['limits' => ['wall' => ['+1%', '+10%', '+50 us'], 'sql' => ['+0', '+1', '+50%', 9]]];
        $baseline = CheckedRuns::checker($store, [$this->folder], $budget)->baseline()->json();
        self::assertSame(array_fill(0, 7, 'passed'), self::states(CheckedRuns::check($store, [$this->folder], $budget, $baseline)));
        foreach ([1, 2, 3] as $i) {
            CheckedRuns::save($store, "a$i", 5, [], 10500 + 100 * $i);
        }
        self::assertSame([
            'over wall: 10.7 ms, at most 1 % more than the baseline (was 10.2 ms, +4.9 %); mean of 3 runs, p = 0.004',
            'passed wall: 10.7 ms, at most 10 % more than the baseline (was 10.2 ms, +4.9 %); mean of 3 runs',
            'over wall: 10.7 ms, at most 50 µs more than the baseline (was 10.2 ms, +4.9 %); mean of 3 runs, p = 0.004',
            'over sql: 5, no more than the baseline (was 3, +66.7 %)',
            'over sql: 5, at most 1 more than the baseline (was 3, +66.7 %)',
            'over sql: 5, at most 50 % more than the baseline (was 3, +66.7 %)',
            'passed sql: 5, at most 9',
        ], CheckedRuns::texts(CheckedRuns::check($store, [$this->folder], $budget, $baseline)));
        CheckedRuns::save($store, 'a2', 3, [], 8000);
        self::assertStringContainsString(
            'that may be chance',
            CheckedRuns::texts(CheckedRuns::check($store, [$this->folder], ['limits' => ['wall' => '9 ms']]))[0],
        );
    }

    /**
     * @param list<Result> $results
     *
     * @return list<string>
     */
    private static function states(array $results): array
    {
        return array_map(static fn (Result $result): string => $result->state->value, $results);
    }

    public function testFindingsThatAreNew(): void
    {
        $store = $this->store();
        CheckedRuns::save($store, 'a', 60);
        $old = CheckedRuns::checker($store, ['a'])->baseline()->json();
        $budget = ['findings' => 'none new'];
        $same = CheckedRuns::check($store, ['a'], $budget, $old);
        self::assertSame(['passed findings: none that is new'], CheckedRuns::texts($same));
        $found = CheckedRuns::check($store, ['a'], ['findings' => 'none']);
        self::assertSame(['found n-plus-one: 60 queries, 10.0 % of the wall time'], CheckedRuns::texts($found));
        self::assertSame(['passed'], self::states(CheckedRuns::check($store, ['a'], ['findings' => ['exceptions' => 'none']])));
        self::assertSame(['passed'], self::states(CheckedRuns::check($store, ['a'], ['findings' => 'any'])));

        CheckedRuns::save($store, 'few', 3);
        $none = CheckedRuns::checker($store, ['few'])->baseline()->json();
        self::assertSame(['found'], self::states(CheckedRuns::check($store, ['a'], $budget, $none)));
        self::assertSame(['Shop\Page::show', 'SELECT name FROM author WHERE id = ?'], [$found[0]->symbol, $found[0]->what]);
    }

    /** What a rule that judges times finds is new where three runs on both sides say so. */
    public function testFindingsOfTimes(): void
    {
        $store = $this->store();
        $save = static function (string $id, int $waited) use ($store): void {
            $store->save([
                'main()' => ['ct' => 1, 'wt' => 100000 + $waited, 'cpu' => 100000],
                'main()==>usleep' => ['ct' => 1, 'wt' => $waited, 'cpu' => 0],
                'main()==>a' => ['ct' => 1, 'wt' => 15000, 'cpu' => 15000],
            ], 'cli', $id, ['command' => 'php w.php']);
        };
        $save('a1', 900000);
        $one = CheckedRuns::checker($store, ['a1'])->baseline()->json();
        self::assertStringNotContainsString('waiting', $one, 'one run may have it by chance');
        $save('a2', 900000);
        $save('a3', 0);
        $budget = ['findings' => ['waiting' => 'none new']];
        $base = CheckedRuns::checker($store, [$this->folder])->baseline()->json();
        self::assertStringNotContainsString('waiting', $base, 'so may two of three');
        self::assertSame(['passed'], self::states(CheckedRuns::check($store, [$this->folder], $budget, $base)));
        $save('a3', 900000);
        self::assertSame(['found'], self::states(CheckedRuns::check($store, [$this->folder], $budget, $base)));
        self::assertSame(['passed'], self::states(CheckedRuns::check($store, [$this->folder], $budget, $one)));
        self::assertSame(['passed'], self::states(CheckedRuns::check($store, ['a1'], $budget, $base)));
        $all = CheckedRuns::checker($store, [$this->folder], [], $base)->baseline()->json();
        self::assertStringContainsString('waiting', $all);
        $save('a3', 0);
        self::assertSame($all, CheckedRuns::checker($store, [$this->folder], [], $all)->baseline()->json(), 'it stays');
    }

    /** A finding in a closure is the same where lines were added above it; a second closure with one is new. */
    public function testAFindingOfAClosureThatMoved(): void
    {
        $loop = static fn (string ...$closures): array => array_merge(['main()' => ['ct' => 1, 'wt' => 900]], ...array_map(
            static fn (string $closure): array => [
                "main()==>$closure" => ['ct' => 1, 'wt' => 100],
                "$closure==>PDO::query" => ['ct' => 80, 'wt' => 90],
            ],
            $closures,
        ));
        $store = $this->store();
        $store->save($loop('A::{closure:a.php:12}'), 'cli', 'before', ['command' => 'php a.php']);
        $old = CheckedRuns::checker($store, ['before'])->baseline()->json();
        self::assertStringContainsString('"where": "A::{closure:a.php}"', $old);
        $store->save($loop('A::{closure:a.php:15}'), 'cli', 'moved', ['command' => 'php a.php']);
        $store->save($loop('A::{closure:a.php:15}', 'A::{closure:a.php:19}'), 'cli', 'two', ['command' => 'php a.php']);
        $budget = ['findings' => ['n-plus-one' => 'none new']];
        self::assertSame(['passed'], self::states(CheckedRuns::check($store, ['moved'], $budget, $old)));
        self::assertSame(['found'], self::states(CheckedRuns::check($store, ['two'], $budget, $old)));
    }

    /** A limit of a closure names it as reports with --stable-names do. */
    public function testALimitOfAClosure(): void
    {
        CheckedRuns::save($this->store(), 'a', 3, closure: 'Shop\Page::{closure:src/Page.php:12}');
        self::assertSame(['passed'], self::states(CheckedRuns::check($this->store(), ['a'], [
            'limits' => ['calls of Shop\Page::{closure#1}' => 1],
        ])));
    }

    public function testABaselineOfAnotherPhp(): void
    {
        CheckedRuns::save($this->store(), 'a', 3);
        $old = CheckedRuns::checker($this->store(), ['a'])->baseline()->json();
        CheckedRuns::save($this->store(), 'b', 3, ['php' => '8.4.2', 'flag_names' => ['MEMORY']]);
        $checker = CheckedRuns::checker($this->store(), ['b'], ['findings' => 'none new'], $old);
        self::assertSame(['passed'], self::states($checker->check()));
        self::assertSame([
            "The baseline of GET /reviews is of PHP 8.2, these runs are of 8.4: counts of PHP's own functions may differ."
                . ' Write it again with --write-baseline.',
            'The baseline of GET /reviews was recorded with other flags (CPU MEMORY / MEMORY): counts and times may differ.',
        ], $checker->notes());
    }

    public function testWhatTheBaselineLacksIsNotPassed(): void
    {
        $store = $this->store();
        CheckedRuns::save($store, 'a', 3);
        $old = CheckedRuns::checker($store, ['a'])->baseline()->json();
        CheckedRuns::save($store, 'b', 3, ['route' => 'GET /new']);
        $budget = ['limits' => ['sql' => '+0', 'wall' => '+5%']];
        self::assertSame([
            'unknown sql is not known: the baseline base.json has no "GET /new"; --write-baseline adds it',
            'unknown wall is not known: the baseline base.json has no "GET /new"; --write-baseline adds it',
            'passed sql: 3, no more than the baseline (was 3)',
            'unknown wall is not known: the baseline base.json has no "wall" of "GET /reviews"; --write-baseline adds it',
        ], CheckedRuns::texts(CheckedRuns::check($store, ['a', 'b'], $budget, $old)));
        try {
            CheckedRuns::check($store, ['b'], $budget, $old);
            self::fail('the route of the baseline has no run');
        } catch (InvalidCheck $e) {
            self::assertStringStartsWith('base.json:4: no run is of "GET /reviews"; write the baseline again', $e->getMessage());
        }
        $found = CheckedRuns::check($store, ['b'], ['limits' => ['sql' => 3]], $old, true);
        self::assertSame(['skipped', 'passed'], self::states($found));
        $kept = CheckedRuns::checker($store, ['b'], [], $old, true)->baseline()->json();
        self::assertStringContainsString('"GET /reviews"', $kept);
        self::assertStringContainsString('"GET /new"', $kept);
    }

    /** @return iterable<string, array{string, non-empty-string}> */
    public static function wrongBaselines(): iterable
    {
        $base = static fn (string $subject): string => "{\"xhprof_baseline\": 1, \"subjects\": {\"GET /reviews\":\n$subject}}";
        yield 'something else' => ['{"v": 1}', 'base.json:1: this is no baseline of xhprof check'];
        yield 'version' => ['{"xhprof_baseline": 2}', 'base.json:1: this is a baseline of another version'];
        yield 'key' => [$base("{\n\"figure\": {}}"), 'base.json:3: unknown key of a subject "figure"; did you mean "figures"?'];
        yield 'figure' => [$base("{\"figures\": {\n\"cals\": 1}, \"findings\": []}"), 'base.json:3: unknown figure "cals"; did yo'];
        yield 'text' => [$base('{"figures": {"calls": "3"}, "findings": []}'), 'base.json:2: a figure is a text'];
        yield 'spread' => [$base('{"figures": {"wall": {"mean": 3}}, "findings": []}'), 'base.json:2: the key "deviation" is miss'];
        yield 'runs' => [
            $base('{"figures": {"wall": {"mean": 3, "deviation": 1, "runs": 0}}, "findings": []}'),
            'base.json:2: "runs" must be a whole number from 1',
        ];
        yield 'rule' => [
            $base("{\"figures\": {}, \"findings\": [{\n\"rule\": \"nplus-one\", \"where\": \"\", \"what\": \"\"}]}"),
            'base.json:3: unknown rule "nplus-one"; did you mean "n-plus-one"?',
        ];
        yield 'no findings' => [$base('{"figures": {}}'), 'base.json:1: the key "findings" is missing'];
    }

    /** @param non-empty-string $message */
    #[DataProvider('wrongBaselines')]
    public function testABaselineThatIsNone(string $json, string $message): void
    {
        CheckedRuns::save($this->store(), 'a');
        try {
            CheckedRuns::check($this->store(), ['a'], ['findings' => 'none'], $json);
            self::fail('it was taken');
        } catch (InvalidCheck $e) {
            self::assertStringStartsWith($message, $e->getMessage());
        }
    }

    /** A baseline of any names can be read again. */
    public function testHostileNamesSurviveABaseline(): void
    {
        $name = Runs::NASTY;
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 900],
            "main()==>$name" => ['ct' => 1, 'wt' => 800],
            "$name==>PDO::query" => ['ct' => 80, 'wt' => 90],
        ], 'cli', 'n', ['command' => $name]);
        $checker = CheckedRuns::checker($this->store(), ['n']);
        $json = $checker->baseline()->json();
        self::assertSame(1, preg_match('//u', $json));
        $found = CheckedRuns::check($this->store(), ['n'], ['findings' => 'none new'], $json);
        self::assertSame(['passed'], self::states($found));
    }

    public function testAWindowHasTimesOfItsRoutesAndNoCalls(): void
    {
        $route = ['requests' => 4, 'failed' => 1, 'wall_us' => 80000, 'cpu_us' => 8000, 'max_us' => 40000, 'samples' => 9];
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 80000]], 'auto', 'w', [
            'start' => 'aggregate', 'mode' => 'aggregate', 'samples' => 9, 'sample_interval_us' => 1000,
            'aggregate' => ['seconds' => 60, 'from' => 1000, 'to' => 1060, 'requests' => 4, 'routes' => ['GET /reviews' => $route]],
        ]);
        $found = CheckedRuns::texts(CheckedRuns::check($this->store(), ['w'], ['route' => 'GET /reviews', 'limits' => [
            'wall' => '10 ms', 'cpu' => '2 ms', 'failed requests' => 0, 'calls' => 9, 'peak' => '1M',
        ]]));
        self::assertSame('over wall: 20.0 ms, at most 10.0 ms; one measurement', $found[0]);
        self::assertSame('passed cpu: 2.00 ms, at most 2.00 ms; one measurement', $found[1]);
        self::assertSame('over failed requests: 1, at most 0', $found[2]);
        self::assertStringContainsString('this is a window, which was sampled: samples are no calls', $found[3]);
        self::assertStringContainsString('windows do not have "peak"', $found[4]);

        // Beside single requests of the route a window has what only windows have.
        CheckedRuns::save($this->store(), 'a', 3);
        $both = CheckedRuns::texts(CheckedRuns::check($this->store(), [$this->folder], ['route' => 'GET /reviews', 'limits' => [
            'wall' => '10 ms', 'failed requests' => 1, 'calls' => 9,
        ], 'findings' => 'none']));
        self::assertSame([
            'passed wall: 10.0 ms, at most 10.0 ms; one measurement',
            'passed failed requests: 1, at most 1',
            'over calls: 10, at most 9',
            'passed findings: none',
        ], $both);
        $json = CheckedRuns::checker($this->store(), [$this->folder], ['limits' => ['p95' => '+5%']])->baseline()->json();
        self::assertStringContainsString('"calls": 10,', $json);
    }

    public function testAllFiguresAndRulesAreKnownToTheSchema(): void
    {
        $json = (string) file_get_contents(__DIR__ . '/../../docs/budgets.schema.json');
        $schema = json_decode($json, true, 64, JSON_THROW_ON_ERROR);
        $limits = $schema['$defs']['budget']['properties']['limits'];
        $isKnown = static function (string $name) use ($limits): bool {
            foreach (array_keys($limits['patternProperties']) as $pattern) {
                if (preg_match("~$pattern~", $name) === 1) {
                    return true;
                }
            }

            return isset($limits['properties'][$name]);
        };
        $names = [...array_keys(FigureName::ALL), ...FigureName::waits(), ...FigureName::kinds(), 'calls of f', 'self wall of f'];
        foreach ([...$names, 'sql like x', 'sql duplicates', 'cache in loops', 'waiting.sql of f'] as $name) {
            self::assertTrue($isKnown($name), $name);
            self::assertInstanceOf(FigureName::class, FigureName::parse($name), $name);
        }
        foreach (['call', 'sq', 'callsof f', 'waiting.', 'sql duplicate'] as $name) {
            self::assertFalse($isKnown($name), $name);
        }
        $rules = array_map(static fn (Rule $rule): string => $rule::NAME, Findings::rules());
        $findings = $schema['$defs']['budget']['properties']['findings']['oneOf'][1]['properties'];
        self::assertSame($rules, array_keys($findings));
    }

    public function testTheDocumentationHasEachFigure(): void
    {
        self::assertStringContainsString(FigureName::markdown(), (string) file_get_contents(__DIR__ . '/../../docs/ci.md'));
    }

    public function testTheUsualBudgetIsOfOperationsAndFindings(): void
    {
        CheckedRuns::save($this->store(), 'a', 3);
        $old = Baseline::parse(CheckedRuns::checker($this->store(), ['a'])->baseline()->json(), 'base.json');
        CheckedRuns::save($this->store(), 'b', 60);
        $found = (new Checker(Subjects::find($this->store(), ['b'], null), [Budget::usual()], $old))->check();
        self::assertSame(['over', 'found'], self::states($found));

        // Of a sampled run neither side has any.
        $sampled = ['samples' => 5, 'sample_interval_us' => 1, 'mode' => 'sample', 'command' => 'php s.php'];
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 5]], 'cli', 's', $sampled);
        $known = Baseline::parse(CheckedRuns::checker($this->store(), ['s'])->baseline()->json(), 'base.json');
        $found = (new Checker(Subjects::find($this->store(), ['s'], null), [Budget::usual()], $known))->check();
        self::assertSame(['skipped', 'passed'], self::states($found));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Compare\ProfileDiff;
use XHProf\Compare\Statistics;
use XHProf\Stats\Significance;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/CompareFixtures.php';

/** api.php?get=diff and get=mean. */
final class CompareApiTest extends PagesTestCase
{
    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        CompareFixtures::build(self::$runs);
    }

    /** @return array<string, mixed> */
    private static function json(string $query, int $status = 200): array
    {
        $page = self::$server->get("api.php?$query");
        self::assertSame($status, $page->status, $page->body);
        self::assertStringStartsWith('application/json', $page->headers['content-type'] ?? '');
        $data = json_decode($page->body, true, 16, JSON_THROW_ON_ERROR);
        self::assertIsArray($data);
        self::assertSame(1, $data['v']);

        return $data;
    }

    private static function statistics(int $first, int $last): Statistics
    {
        $statistics = new Statistics([], true);
        foreach (range($first, $last) as $run) {
            $statistics->add(self::profile(CompareFixtures::id($run), CompareFixtures::SOURCE));
        }

        return $statistics;
    }

    public function testTwoRuns(): void
    {
        $data = self::json('get=diff&source=shop&run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER);
        $report = ProfileDiff::between(self::profile(Fixtures::BEFORE), self::profile(Fixtures::AFTER), true);
        self::assertSame('diff', $data['kind']);
        self::assertSame(array_keys($report->rows()), $data['names']);
        self::assertArrayNotHasKey('noise', $data);
        self::assertSame($report->totals()['b'], $data['total']['b']);
        $largest = max($report->totals()['a']['wt'], $report->totals()['b']['wt']);
        self::assertEqualsWithDelta([$largest / 100, 0.05], [$data['bounds']['least']['wt'], $data['bounds']['level']], 1e-6);
        foreach ($data['names'] as $i => $name) {
            foreach ($report->rows()[$name] as $column => $delta) {
                self::assertSame($delta, $data['b'][$column][$i] - $data['a'][$column][$i], "$name $column");
            }
        }
        $at = array_flip($data['names']);
        self::assertSame([1, 2, 0], array_map(
            static fn (string $name): int => $data['only'][$at[$name]],
            [Fixtures::GONE, Fixtures::ADDED, 'strlen'],
        ));
    }

    public function testTwoSets(): void
    {
        $sets = 'run1=' . CompareFixtures::ids(1, 5) . '&run2=' . CompareFixtures::ids(6, 10);
        $data = self::json("get=diff&source=nightly&$sets");
        [$a, $b] = [self::statistics(1, 5), self::statistics(6, 10)];
        foreach ([CompareFixtures::SLOWER, CompareFixtures::SPREAD, CompareFixtures::ADDED] as $name) {
            $i = array_search($name, $data['names'], true);
            self::assertIsInt($i);
            [$before, $after] = [$a->distribution($name, 'excl_wt'), $b->distribution($name, 'excl_wt')];
            if ($name === CompareFixtures::SPREAD) {
                // A tiny change is not tested for significance.
                continue;
            }
            self::assertEqualsWithDelta($before->deviation(), $data['noise']['a']['excl_wt'][$i], 0.001);
            self::assertEqualsWithDelta($after->mean(), $data['b']['excl_wt'][$i], 0.001);
            self::assertEqualsWithDelta(Significance::welch($before, $after), $data['noise']['p']['excl_wt'][$i], 0.00001);
        }
        $still = array_search('strlen', $data['names'], true);
        self::assertSame([null, null], [$data['noise']['p']['excl_wt'][$still], $data['noise']['b']['excl_wt'][$still]]);
        $half = self::json('get=diff&source=nightly&run1=' . CompareFixtures::ids(1, 5) . '&run2=' . CompareFixtures::id(6));
        self::assertSame(['a'], array_keys($half['noise']));
    }

    public function testChangesThatMayBeChanceAreNamedForTheViewsOfCallPaths(): void
    {
        // One of the two before was made while the machine was busy.
        $sets = 'source=nightly&run1=' . CompareFixtures::ids(6, 7) . '&run2=' . CompareFixtures::ids(8, 10);
        $data = self::json("get=diff&$sets");
        $found = 0;
        $chance = self::json("get=names&$sets")['chance'];
        foreach (['wt', 'excl_wt'] as $column) {
            $expected = [];
            foreach ($data['names'] as $i => $name) {
                $delta = abs($data['b'][$column][$i] - $data['a'][$column][$i]);
                $isSmall = $delta == 0 || $delta < $data['bounds']['least']['wt'];
                if (!$isSmall && ($data['noise']['p'][$column][$i] ?? 0) >= $data['bounds']['level']) {
                    $expected[] = $name;
                }
            }
            $found += count($expected);
            self::assertEqualsCanonicalizing($expected, $chance[$column] ?? [], $column);
        }
        self::assertGreaterThan(0, $found, 'the sets have such changes');
        $one = self::json('get=names&source=nightly&run1=' . CompareFixtures::id(1) . '&run2=' . CompareFixtures::id(6));
        self::assertArrayNotHasKey('chance', $one);
    }

    public function testMean(): void
    {
        $data = self::json('get=mean&source=nightly&run=' . CompareFixtures::ids(1, 10));
        $statistics = self::statistics(1, 10);
        self::assertSame(['mean', 10], [$data['kind'], $data['runs']]);
        self::assertSame($statistics->functions(), $data['names']);
        foreach ($data['names'] as $i => $name) {
            self::assertSame($statistics->runsWith($name), $data['n'][$i]);
            foreach (['mean', 'median', 'p95', 'min', 'max', 'sd'] as $kind) {
                $expected = $statistics->distribution($name, 'wt')->statistic($kind);
                self::assertEqualsWithDelta($expected, $data['stats']['wt'][$kind][$i], 1e-6 * abs($expected) + 1e-6);
            }
        }
        $old = self::json('get=aggregate&source=nightly&run=' . CompareFixtures::ids(1, 10));
        self::assertSame(['kind' => 'aggregate'] + $data, ['kind' => 'aggregate'] + $old);
        self::assertSame('aggregate', $old['kind']);
        $single = self::json('get=mean&source=nightly&run=' . CompareFixtures::id(1), 400);
        self::assertSame('bad-request', $single['error']['code']);
    }
}

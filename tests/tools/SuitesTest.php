<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Tools\Check\Suites;

require_once __DIR__ . '/../../tools/check/autoload.php';

/** Which suites make check runs for which words. */
final class SuitesTest extends TestCase
{
    public function testWithoutWordsTheUsualGroupsRun(): void
    {
        self::assertSame(Suites::DEFAULT, self::groupsOf());
    }

    public function testAllLeavesOutOnlyWhatTakesAnHour(): void
    {
        $groups = self::groupsOf('all');
        self::assertSame([], array_intersect(['engine-modes', 'engine-quarters', 'bare'], $groups));
        self::assertSame([], array_diff([...Suites::DEFAULT, 'engine', 'memory', 'zts', 'musl', 'packages', 'fleet'], $groups));
        self::assertContains('engine-modes', self::groupsOf('all', 'engine-modes'));
    }

    /** Its engine is half a gigabyte. */
    public function testTheStoreOfAFleetIsForThoseWhoAskForIt(): void
    {
        self::assertNotContains('fleet', self::names());
        self::assertSame(['fleet'], self::names('fleet'));
        $all = array_flip(self::names('all'));
        self::assertLessThan($all['engine'], $all['fleet']);
        self::assertLessThan($all['php-8.4'], $all['fleet']);
    }

    public function testAWordIsASuiteOrAGroup(): void
    {
        self::assertSame(['build', 'unit', 'engine-modes'], self::names('unit', 'build', 'engine-modes'));
        self::assertContains('engine-walk', self::names('engine'));
        self::assertSame(['engine-walk'], self::names('engine-walk'));
    }

    public function testAnUnknownWordListsTheKnownOnes(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessageMatches('~^No such suite: phpx, y\. There are: all, build, .*engine-modes~');
        self::names('build', 'phpx', 'y');
    }

    /** Those of the tests need the extension; what reads sources does not, and says what is wrong with them beside a build that failed. */
    public function testWhatRunsTheProgramNeedsTheBuild(): void
    {
        foreach ((new Suites(dirname(__DIR__, 2), PHP_BINARY))->wanted(['all', 'engine-quarters']) as $suite) {
            $reads = in_array($suite->name, ['build', 'js'], true) || $suite->group === 'lint';
            self::assertSame($reads, $suite->needs === [], $suite->name);
            foreach (['zts', 'memory', 'musl'] as $group) {
                $made = $suite->group === $group && $suite->name !== "$group-build";
                self::assertSame($made, in_array("$group-build", $suite->needs, true), $suite->name);
            }
        }
    }

    /** @return list<string> */
    private static function names(string ...$words): array
    {
        return array_column((new Suites(dirname(__DIR__, 2), PHP_BINARY))->wanted(array_values($words)), 'name');
    }

    /** @return list<string> */
    private static function groupsOf(string ...$words): array
    {
        $suites = (new Suites(dirname(__DIR__, 2), PHP_BINARY))->wanted(array_values($words));
        return array_values(array_unique(array_column($suites, 'group')));
    }
}

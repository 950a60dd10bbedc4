<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tools\Check\BareTargets;
use XHProf\Tools\Check\Rotation;
use XHProf\Tools\Check\Suite;
use XHProf\Tools\Check\Suites;
use XHProf\Tools\Check\Turn;

require_once __DIR__ . '/../../tools/check/autoload.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** What .ci/run has beside make check, in turn. */
final class RotationTest extends TestCase
{
    use TemporaryFolder;

    private const ROOT = __DIR__ . '/../..';

    protected function setUp(): void
    {
        mkdir("$this->folder/tools", 0700, true);
    }

    public function testTurnsInARowHaveAllThatMakeCheckAllHas(): void
    {
        $all = array_diff(self::names(['all']), self::names([]));
        foreach ([0, 1, 4, 7, 42126347] as $first) {
            $had = [];
            for ($turn = $first; $turn < $first + Rotation::TURNS; $turn++) {
                array_push($had, ...(new Rotation($turn))->suites());
            }
            $had = array_filter($had, static fn(string $suite): bool => !str_starts_with($suite, 'bare-'));
            // In quarters, all of them, each once.
            $quarters = preg_grep('~^engine~', $had) ?: [];
            sort($quarters);
            self::assertSame(self::sorted(self::names(['engine-quarters'])), $quarters);
            $engine = self::names(['engine']);
            self::assertCount(4 * count($engine), $quarters);
            self::assertSame(self::sorted(array_diff($all, $engine)), self::sorted(array_unique(array_diff($had, $quarters))));
        }
    }

    public function testNoTurnIsPlannedForMoreThanItsMinutes(): void
    {
        $minutes = [];
        for ($turn = 0; $turn < Rotation::TURNS * count(BareTargets::ALL); $turn++) {
            $minutes[] = (new Rotation($turn))->minutes();
        }
        self::assertLessThanOrEqual(Rotation::MINUTES, max($minutes));
        // .ci/run has the same number.
        $run = (string) file_get_contents(self::ROOT . '/.ci/run');
        self::assertStringContainsString('${MINUTES:-' . Rotation::MINUTES . '}', $run);
    }

    public function testATurnHasTheBuildsOfItsSuites(): void
    {
        for ($turn = 0; $turn < Rotation::TURNS; $turn++) {
            $suites = self::suites([...Suites::DEFAULT, ...(new Rotation($turn))->suites()]);
            $names = array_column($suites, 'name');
            foreach ($suites as $suite) {
                self::assertSame([], array_diff($suite->needs, $names), "$suite->name in turn $turn");
            }
        }
    }

    /** What is left to the others is named with its turn. */
    public function testThePlanNamesEachPartOnce(): void
    {
        $plan = (new Rotation(7))->plan();
        $own = 7 % Rotation::TURNS + 1;
        self::assertSame($own, (new Rotation(7))->number());
        for ($number = 1; $number <= Rotation::TURNS; $number++) {
            $begin = ($number === $own ? 'This is' : 'Left to') . " turn $number of " . Rotation::TURNS . ': ';
            self::assertStringStartsWith($begin, $plan[$number - 1]);
        }
        $parts = array_merge(...array_map(
            static fn(string $line): array => explode(', ', explode(': ', $line, 2)[1]),
            array_slice($plan, 0, Rotation::TURNS),
        ));
        self::assertSame(array_unique($parts), $parts);
        self::assertContains('php-8.4', $parts);
        self::assertContains('musl', $parts);
        self::assertContains('memory-heap', $parts);
    }

    /** Each target of make help is started in a bare Debian some time, or has its reason why not. */
    public function testEachTargetHasItsTurn(): void
    {
        preg_match_all('/^([a-z0-9.-]+):.*## /m', (string) file_get_contents(self::ROOT . '/Makefile'), $targets);
        $listed = [...array_keys(BareTargets::ALL), ...array_keys(BareTargets::LEFT_OUT)];
        self::assertSame(self::sorted($targets[1]), self::sorted($listed));
        $had = [];
        for ($turn = 9; $turn < 9 + count(BareTargets::ALL); $turn++) {
            $suites = array_values(preg_grep('/^bare-/', (new Rotation($turn))->suites()) ?: []);
            self::assertCount(1, $suites);
            $had[] = substr($suites[0], strlen('bare-'));
        }
        self::assertSame(self::sorted(array_keys(BareTargets::ALL)), self::sorted($had));
    }

    public function testTheMessageOfTheCommitHasTheTurn(): void
    {
        $this->git('init -q');
        $this->git('commit -q --allow-empty -m "Mend a thing" -m "Turn: of events"');
        $hash = $this->git('rev-parse HEAD');
        self::assertSame(hexdec(substr($hash, 0, 7)), Turn::of($this->folder));
        $this->git('commit -q --allow-empty -m "Mend a thing" -m "Why.

            Turn: 3"');
        self::assertNotSame(3, Turn::of($this->folder));
        $this->git('commit -q --allow-empty -m "Land" -m "Turn: 7"');
        self::assertSame(7, Turn::of($this->folder));
        self::assertSame(12, Turn::of($this->folder, '12'));
        // As a machine of CI may clone it.
        $clone = "$this->folder/clone";
        exec('git clone -q --depth 1 ' . escapeshellarg("file://$this->folder") . ' ' . escapeshellarg($clone));
        self::assertSame(7, Turn::of($clone));
        $this->expectException(\InvalidArgumentException::class);
        Turn::of($this->folder, 'next');
    }

    public function testMakeTurnTakesTheNextNumber(): void
    {
        foreach (['turn.sh', 'env.sh'] as $script) {
            copy(self::ROOT . "/tools/$script", "$this->folder/tools/$script");
        }
        $this->git('init -q');
        $this->git('commit -q --allow-empty -m "Begin"');
        foreach ([1, 2] as $number) {
            self::assertSame("Turn: $number", $this->shell('bash tools/turn.sh'));
            self::assertSame($number, Turn::of($this->folder));
            $this->git('commit -q --allow-empty -m "Go on" -m "Turn: no number"');
        }
    }

    /** @return array<string, array{string}> */
    public static function noNumbers(): array
    {
        return ['a word' => ['x'], 'a negative one' => ['-1'], 'too many digits' => [str_repeat('9', 20)]];
    }

    #[DataProvider('noNumbers')]
    public function testATurnIsANumber(string $text): void
    {
        $this->expectExceptionMessage("TURN=$text is no number");
        Turn::of($this->folder, $text);
    }

    private function git(string $command): string
    {
        return $this->shell("git $command");
    }

    private function shell(string $command): string
    {
        $identity = 'GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost';
        exec('cd ' . escapeshellarg($this->folder) . " && export $identity && $command", $out, $code);
        self::assertSame(0, $code, $command);
        return implode("\n", $out);
    }

    /**
     * @param list<string> $words
     * @return list<Suite>
     */
    private static function suites(array $words): array
    {
        return (new Suites(dirname(__DIR__, 2), PHP_BINARY))->wanted($words);
    }

    /**
     * @param list<string> $words
     * @return list<string>
     */
    private static function names(array $words): array
    {
        return array_column(self::suites($words), 'name');
    }

    /**
     * @param array<string> $names
     * @return list<string>
     */
    private static function sorted(array $names): array
    {
        $names = array_values($names);
        sort($names);
        return $names;
    }
}

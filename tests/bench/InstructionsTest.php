<?php

declare(strict_types=1);

namespace XHProf\Tests\Bench;

use PHPUnit\Framework\TestCase;
use XHProf\Bench\Instructions;
use XHProf\Bench\Modes;
use XHProf\Bench\Php;
use XHProf\Bench\Workloads;

require_once __DIR__ . '/../../benchmarks/src/autoload.php';

/** Counts do not depend on what else the machine does, unlike times. */
final class InstructionsTest extends TestCase
{
    protected function setUp(): void
    {
        if (Instructions::missing() !== null) {
            self::markTestSkipped(Instructions::missing());
        }
    }

    /** The slow path of a begin and an end takes a hundred instructions more. So many calls that what a profile does once is nothing. */
    public function testATimelineIsOnTheFastPathWithEveryFigure(): void
    {
        $counts = $this->perCall(['idle', 'flags 0', 'TIMELINE', 'MEMORY', 'MEMORY|TIMELINE'], 'empty function', 20_000);
        self::assertGreaterThan($counts['idle'] + 60, $counts['flags 0']);
        self::assertGreaterThan($counts['flags 0'], $counts['MEMORY']);
        foreach (['TIMELINE' => 'flags 0', 'MEMORY|TIMELINE' => 'MEMORY'] as $with => $without) {
            self::assertGreaterThan($counts[$without], $counts[$with]);
            self::assertLessThan($counts[$without] + 40, $counts[$with], $with);
        }
    }

    public function testWhatIsNoOperationCostsNothingMoreWithThem(): void
    {
        foreach (['empty function', 'internal function'] as $workload) {
            $counts = $this->perCall(['flags 0', 'no operations'], $workload, 50_000);
            self::assertEqualsWithDelta($counts['no operations'], $counts['flags 0'], 0.5, $workload);
        }
    }

    /**
     * @param list<string> $modes
     * @return array<string, float> by mode
     */
    private function perCall(array $modes, string $workload, int $units): array
    {
        $php = new Php(pin: false);
        $all = (new Modes($php, dirname(__DIR__, 2), []))->all;
        $counts = [];
        foreach ($modes as $mode) {
            $counts[$mode] = (new Instructions($php))->perCall($all[$mode], Workloads::all()[$workload], $units);
        }

        return $counts;
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\RunInSeparateProcess;
use PHPUnit\Framework\TestCase;
use XHProf\Profile\Profile;
use XHProf\Profile\SavedColumns;
use XHProf\Profile\TreeHead;
use XHProf\Store\PhpMemory;
use XHProf\Store\SavedTimes;

/** Times of a call tree are read where there is memory for them; else those of the run stay. */
final class SavedTimesTest extends TestCase
{
    private const LARGE = 1 << 20;

    #[RunInSeparateProcess]
    public function testThatMuchMemoryIsNeeded(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 20000]];
        for ($i = 0; $i < 20000; $i++) {
            $edges["main()==>f$i"] = ['ct' => 1, 'wt' => 1];
        }
        $profile = Profile::fromEdges($edges);
        foreach ([8 => 0, 64 => 1] as $megabytes => $reads) {
            self::assertNotFalse(ini_set('memory_limit', (string) (memory_get_usage() + ($megabytes << 20))));
            self::assertEqualsWithDelta($megabytes << 20, PhpMemory::left(), 1 << 20);
            self::assertSame($reads, self::readsOf($profile, self::LARGE), "$megabytes MB");
        }
        self::assertSame(0, self::readsOf($profile, SavedColumns::MAX_BYTES + 1));
        ini_set('memory_limit', '-1');
        self::assertGreaterThan(1 << 60, PhpMemory::left());
        self::assertSame(1, self::readsOf($profile, self::LARGE));
    }

    /** How often the file is read. What it would hold is another test's, see FoldTest. */
    private static function readsOf(Profile $profile, int $bytes): int
    {
        $reads = 0;
        $head = static function () use (&$reads): ?TreeHead {
            $reads++;

            return null;
        };
        $columns = SavedTimes::columns($profile, $bytes, $head, static fn (): never => self::fail('it is read as a whole'));
        self::assertSame([], $columns);

        return $reads;
    }
}

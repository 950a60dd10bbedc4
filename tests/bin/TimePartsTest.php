<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;

require_once __DIR__ . '/CliTestCase.php';

/** Where the time of real programs was. */
final class TimePartsTest extends CliTestCase
{
    /** @return iterable<string, array{list<string>}> */
    public static function recordings(): iterable
    {
        yield 'every call' => [[]];
        yield 'without PHP\'s own functions' => [['--no-builtins']];
        yield 'samples' => [['--sample=100us']];
        yield 'without CPU time' => [['--wall-only']];
    }

    /**
     * How much each part is depends on the machine, what it is does not.
     *
     * @param list<string> $options
     */
    #[DataProvider('recordings')]
    public function testWhereTheTimeWasAddsUp(array $options): void
    {
        // Long enough for samples of both, however busy the machine is.
        $script = $this->script(<<<'PHP'
            $cpu = static fn () => getrusage()['ru_utime.tv_sec'] * 1e6 + getrusage()['ru_utime.tv_usec'];
            for ($i = 0; $i < 5; $i++) {
                usleep(20000);
                for ($end = $cpu() + 5000; $cpu() < $end;) {
                    hash('sha256', str_repeat('x', 100000));
                }
            }
            PHP);
        $this->xhprof(['run', ...$options, '--', $script]);
        $where = json_decode($this->xhprof(['report', '--json', 'latest'])->out, true)['where'] ?? [];
        $parts = array_column($where['parts'], 'us', 'key');

        self::assertEqualsWithDelta($where['total_us'], array_sum($parts), 0.01);
        self::assertSame($options === ['--sample=100us'] ? 'samples' : 'calls', $where['by']);
        if ($options === ['--wall-only']) {
            self::assertSame(['unknown'], array_keys($parts));
            self::assertStringContainsString('functions that wait took: Sleeping', implode(' ', $where['notes']));
        } else {
            self::assertArrayHasKey('sleep', $parts);
            self::assertArrayHasKey('cpu', $parts);
            self::assertArrayNotHasKey('unknown', $parts);
        }
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * Corrected figures tell what a program is like when nobody watches: the ratio of a loop of tiny calls to the same loop
 * inlined is near the true one, which is timed with the profiler off. Ratios of one process, no times: how fast the machine is
 * does not matter, and how busy it is seldom, for one good attempt of several is enough.
 */
final class CorrectedRatioTest extends TestCase
{
    private const ATTEMPTS = 5;
    private const TOLERANCE = 0.25;

    /**
     * @return iterable<string, array{string}>
     */
    public static function workloads(): iterable
    {
        yield 'functions' => ['functions'];
        yield 'a function in a function' => ['nested'];
        yield 'methods' => ['methods'];
        yield 'a function of PHP' => ['internal'];
    }

    #[DataProvider('workloads')]
    public function testTinyCallsAgainstTheSameWorkInlined(string $workload): void
    {
        $tried = [];
        for ($attempt = 0; $attempt < self::ATTEMPTS; $attempt++) {
            ['true' => $true, 'raw' => $raw, 'corrected' => $corrected] = self::measure()[$workload];
            self::assertNotNull($true);
            self::assertNotNull($raw);
            self::assertNotNull($corrected, 'the call tree has no corrected times');
            $error = abs($corrected / $true - 1);
            if ($error <= self::TOLERANCE && abs($raw / $true - 1) > $error) {
                $this->addToAssertionCount(1);

                return;
            }
            $tried[] = "true $true, raw $raw, corrected $corrected";
        }
        self::fail("no corrected ratio was near the true one:\n" . implode("\n", $tried));
    }

    /**
     * @return array<string, array<string, ?float>>
     */
    private static function measure(): array
    {
        $extension = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
        if (!is_file($extension)) {
            self::markTestSkipped('the extension is not built');
        }
        $command = [PHP_BINARY, '-n', '-d', "extension=$extension", '-d', 'memory_limit=512M', '-d', 'opcache.enable_cli=0'];
        $command[] = __DIR__ . '/Support/corrected-ratio.php';
        $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)));
        $results = json_decode($output, true);
        self::assertIsArray($results, $output);

        return $results;
    }
}

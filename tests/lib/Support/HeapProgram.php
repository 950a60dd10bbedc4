<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PHPUnit\Framework\Assert;

/** Runs heap-program.php with the extension: the one that is loaded here, else the built one. */
final class HeapProgram
{
    private const BUILT = __DIR__ . '/../../../extension/modules/xhprof.so';

    /** Takes a snapshot of the program to a file; the test is skipped where there is no extension. */
    public static function take(string $file, bool $redact = false): void
    {
        $php = [PHP_BINARY, '-d', 'memory_limit=128M'];
        if (!\function_exists('xhprof_heap_snapshot')) {
            if (!is_file(self::BUILT)) {
                Assert::markTestSkipped('the extension is neither loaded nor built');
            }
            array_push($php, '-d', 'extension=' . realpath(self::BUILT));
        }
        $command = [...$php, __DIR__ . '/heap-program.php', $file, ...($redact ? ['redact'] : [])];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $code);
        Assert::assertSame([0, ''], [$code, implode("\n", $output)]);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Import\Readers;
use XHProf\Tests\Lib\Support\ImportSizes;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/ImportSizes.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * A file with four times as many calls takes four times as much work. Work is counted, in a process of its own: turns of loops and
 * calls, what functions of PHP read, and the memory taken. Nothing looks at a clock.
 */
final class ImportWorkTest extends TestCase
{
    use TemporaryFolder;

    private const SIZES = [5000, 20000, 80000];

    /** For four times the input. */
    private const MOST = 4.5;

    /** Shapes of files whose reader is tried with another one in the largest size. */
    private const SMALLER = ['speedscope, samples', 'XHGui lines', 'memprof callgrind', 'cachegrind, appended', 'a recursion'];

    /** @return iterable<string, array{string, string}> what is in the file, reader */
    public static function files(): iterable
    {
        foreach (ImportSizes::all() as $what => [$reader]) {
            yield $what => [$what, $reader];
        }
    }

    #[DataProvider('files')]
    public function testWorkGrowsAsTheFileDoes(string $what, string $reader): void
    {
        $sizes = in_array($what, self::SMALLER, true) ? array_slice(self::SIZES, 0, 2) : self::SIZES;
        $work = $this->work($reader, ImportSizes::all()[$what][1], $sizes);
        self::assertCount(count($sizes), $work);
        foreach ($work as $i => $counts) {
            foreach ($i === 0 ? [] : $counts as $kind => $count) {
                self::assertGreaterThan(0, $count, $kind);
                $before = $work[$i - 1][$kind];
                self::assertLessThanOrEqual(self::MOST, $count / $before, "$kind: $count for $sizes[$i] calls, $before before");
            }
        }
    }

    public function testEveryReaderIsTriedInTheLargestSize(): void
    {
        $largest = array_diff_key(ImportSizes::all(), array_flip(self::SMALLER));
        self::assertEqualsCanonicalizing(array_keys(Readers::all()), array_values(array_unique(array_column($largest, 0))));
    }

    /** @return iterable<string, array{string, string}> function of slow-readers.php, where its work is seen */
    public static function slow(): iterable
    {
        yield 'splices' => ['splices', 'allocated'];
        yield 'shifts' => ['shifts', 'read'];
        yield 'searches' => ['searches', 'read'];
        yield 'walks' => ['walks', 'steps'];
        yield 'copies' => ['copies', 'allocated'];
        yield 'spreads' => ['spreads', 'allocated'];
        yield 'cuts' => ['cuts', 'read'];
    }

    #[DataProvider('slow')]
    public function testWorkThatGrowsWithTheSquareIsSeen(string $function, string $kind): void
    {
        $lines = static fn (int $count): string => implode(" 1\n", range(1, $count)) . " 1\n";
        $work = $this->work($function, $lines, [1000, 4000]);
        self::assertGreaterThan(2 * self::MOST, $work[1][$kind] / $work[0][$kind]);
    }

    /**
     * @param \Closure(int): string $bytes
     * @param list<int>             $sizes
     *
     * @return list<array{steps: int, read: int, allocated: int}>
     */
    private function work(string $reader, \Closure $bytes, array $sizes): array
    {
        $library = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
        if (!is_file($library)) {
            self::markTestSkipped('extension/modules/xhprof.so is not built (make build)');
        }
        $command = [PHP_BINARY, '-d', 'memory_limit=2G', ...extension_loaded('xhprof') ? [] : ['-d', "extension=$library"],
            __DIR__ . '/Support/import-work.php', $reader];
        foreach ($sizes as $size) {
            file_put_contents("$this->folder/$size", $bytes($size));
            $command[] = "$this->folder/$size";
        }
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $code);
        self::assertSame(0, $code, implode("\n", $output));
        $work = json_decode(implode('', $output), true);
        self::assertIsArray($work, implode("\n", $output));

        /** @var list<array{steps: int, read: int, allocated: int}> */
        return $work;
    }
}

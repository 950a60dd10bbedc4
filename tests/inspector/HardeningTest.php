<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\TestCase;

/** The program reads memory of processes that may be hostile: an overflow must end it, not help them. */
final class HardeningTest extends TestCase
{
    private const MODULES = __DIR__ . '/../../extension/modules';

    public function testOverflowsAreNoticed(): void
    {
        $symbols = $this->readelf('--dyn-syms', 'xhprof-inspect');
        self::assertStringContainsString('__stack_chk_fail', $symbols);
        if (str_contains($symbols, '@GLIBC_')) {
            self::assertMatchesRegularExpression('/__[a-z]+_chk\b/', $symbols, 'fortified');
        }
    }

    public function testFunctionsAreBoundAtTheStart(): void
    {
        $this->assertBound('xhprof-inspect');
        $this->assertBound('xhprof.so');
        $this->assertBound('libxhprof_malloc.so');
    }

    private function assertBound(string $file): void
    {
        self::assertMatchesRegularExpression('/\bBIND_NOW\b|FLAGS_1.*\bNOW\b/', $this->readelf('-d', $file), $file);
        self::assertStringContainsString('GNU_RELRO', $this->readelf('-l', $file), $file);
    }

    private function readelf(string $option, string $file): string
    {
        exec('command -v readelf', $found, $missing);
        if ($missing !== 0) {
            self::markTestSkipped('readelf is not installed');
        }
        $makefile = (string) @file_get_contents(dirname(self::MODULES) . '/Makefile');
        if (preg_match('/^CFLAGS = (?!.*-fsanitize)(?!.*-O0).*-O/m', $makefile) !== 1) {
            self::markTestSkipped('nothing is built here, or for a sanitizer or a debugger');
        }
        exec("LC_ALL=C readelf -W $option " . escapeshellarg(self::MODULES . "/$file"), $lines, $code);
        self::assertSame(0, $code);

        return implode("\n", $lines);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\TestCase;

/** The programs read memory of processes that may be hostile, and what requests send: an overflow must end them, not help anyone. */
final class HardeningTest extends TestCase
{
    private const MODULES = __DIR__ . '/../../extension/modules';

    public function testOverflowsAreNoticed(): void
    {
        foreach (['xhprof-inspect', 'xhprof.so', 'libxhprof_malloc.so'] as $file) {
            $symbols = $this->readelf('--dyn-syms', $file);
            self::assertStringContainsString('__stack_chk_fail', $symbols, $file);
            if (str_contains($symbols, '@GLIBC_') && $file !== 'libxhprof_malloc.so') {
                self::assertMatchesRegularExpression('/__[a-z]+_chk\b/', $symbols, "$file, fortified");
            }
        }
    }

    /** What is installed is built by make without the flags of tools/build.sh for tests. */
    public function testTheEnvironmentMovesTheClockOfNoRelease(): void
    {
        $this->needsABuild();
        $extension = dirname(self::MODULES);
        exec('grep -rlw --include="*.c" XHPROF_DEV ' . escapeshellarg($extension), $sources);
        $sources = array_map('realpath', $sources);
        self::assertContains(realpath("$extension/aggregate/window_clock.c"), $sources);
        $symbols = [];
        foreach (['release' => '', 'tests' => '-DXHPROF_DEV=1'] as $build => $flags) {
            $text = '';
            foreach ($sources as $source) {
                $object = substr((string) $source, strlen((string) realpath($extension)) + 1, -2) . '.lo';
                $made = escapeshellarg("XHPROF_DEV_CFLAGS=$flags");
                exec('make -n -B -C ' . escapeshellarg($extension) . " $made $object 2>&1", $lines, $code);
                self::assertSame(0, $code, implode("\n", $lines));
                $compile = implode("\n", preg_grep('/--mode=compile/', $lines) ?: []);
                self::assertMatchesRegularExpression('/--mode=compile (.+) -o \S+ .*$/m', $compile);
                $command = preg_replace('/^.*--mode=compile (.+) -o \S+ .*$/m', '$1 -S -o -', $compile);
                $text .= shell_exec('cd ' . escapeshellarg($extension) . " && $command");
                $lines = [];
            }
            $symbols[$build] = preg_match_all('/XHPROF_TEST\w*|\b(?:secure_)?getenv\b/', $text, $found) > 0 ? $found[0] : [];
        }
        self::assertContains('XHPROF_TEST_CLOCK', $symbols['tests'], 'the tests move it');
        self::assertSame([], $symbols['release']);
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
        $this->needsABuild();
        exec("LC_ALL=C readelf -W $option " . escapeshellarg(self::MODULES . "/$file"), $lines, $code);
        self::assertSame(0, $code);

        return implode("\n", $lines);
    }

    private function needsABuild(): void
    {
        $makefile = (string) @file_get_contents(dirname(self::MODULES) . '/Makefile');
        if (preg_match('/^CFLAGS = (?!.*-fsanitize)(?!.*-O0).*-O/m', $makefile) !== 1) {
            self::markTestSkipped('nothing is built here, or for a sanitizer or a debugger');
        }
    }
}

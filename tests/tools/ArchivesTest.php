<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** tools/archive.sh: PIE's archives have the names that it asks for, and what is in one is what its name says. */
final class ArchivesTest extends TestCase
{
    use TemporaryFolder;

    private const ROOT = __DIR__ . '/../..';

    protected function setUp(): void
    {
        exec('command -v zip unzip readelf strings strip', $found, $code);
        if ($code !== 0) {
            self::markTestSkipped('zip, unzip and binutils make and read archives');
        }
    }

    public function testWhatIsBuiltHereIsWhatItsNameSays(): void
    {
        $name = self::own();
        self::assertSame([0, ''], $this->pack($name));
        self::assertSame([0, ''], $this->bash('archive_check "$1"', "$this->folder/$name"));
    }

    public function testTheSameProgramsMakeTheSameBytes(): void
    {
        $this->pack('a.zip');
        $this->pack('b.zip');
        self::assertFileEquals("$this->folder/a.zip", "$this->folder/b.zip");
    }

    /** @return iterable<string, array{string, string, string}> a part of the name, another one, and what is said */
    public static function wrong(): iterable
    {
        $machine = php_uname('m') === 'x86_64' ? ['-x86_64-', '-arm64-'] : ['-arm64-', '-x86_64-'];
        yield 'processor' => [...$machine, 'xhprof.so is of another processor'];
        yield 'threads' => ['.zip', PHP_ZTS ? '.zip' : '-zts.zip', 'xhprof.so is not built for API'];
        yield 'debug' => ['.zip', '-debug.zip', 'xhprof.so is not built for API'];
        $other = PHP_MINOR_VERSION === 4 ? '8.5' : '8.4';
        yield 'PHP' => ['php' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION, "php$other", 'xhprof.so is not built for API'];
        yield 'version' => ['xhprof-', 'xhprof-9.', 'xhprof.so is not of version 9.'];
        yield 'no name of PIE' => ['-linux-', '-', 'is no name that PIE asks for'];
    }

    #[DataProvider('wrong')]
    public function testAnotherNameIsRefused(string $part, string $other, string $said): void
    {
        $name = str_replace($part, $other, self::own());
        $this->pack($name);
        [$code, $out] = $this->bash('archive_check "$1"', "$this->folder/$name");
        self::assertSame(1, $code, $out);
        self::assertStringContainsString($said, $out);
    }

    public function testGlibcIsNotTakenForMusl(): void
    {
        exec('readelf -V ' . escapeshellarg(self::ROOT . '/extension/modules/xhprof.so'), $versions);
        if (preg_grep('~GLIBC_~', $versions) === []) {
            self::markTestSkipped('This system has no glibc');
        }
        $name = str_replace('-glibc', '-musl', self::own());
        $this->pack($name);
        [$code, $out] = $this->bash('archive_check "$1"', "$this->folder/$name");
        self::assertSame(1, $code);
        self::assertStringContainsString('xhprof.so needs libc.so.6', $out);
        self::assertStringContainsString('xhprof-inspect has versions of glibc', $out);
        self::assertMatchesRegularExpression('~^2\.\d+$~', $this->bash('archive_glibc "$1"', "$this->folder/$name")[1]);
    }

    public function testFilesTooManyAreRefused(): void
    {
        $name = self::own();
        $this->pack($name);
        exec(sprintf('cd %s && echo x >more && zip -q %s more', escapeshellarg($this->folder), $name));
        [$code, $out] = $this->bash('archive_check "$1"', "$this->folder/$name");
        self::assertSame(1, $code);
        self::assertStringContainsString('has other files or modes', $out);
    }

    public function testEveryPhpThatIsSupportedHasItsArchives(): void
    {
        $composer = json_decode((string) file_get_contents(self::ROOT . '/composer.json'), true);
        self::assertSame('>=8.2 <8.7', $composer['require']['php']);
        exec(escapeshellarg(self::ROOT . '/tools/archives.sh') . ' --list', $names);
        $expected = [];
        foreach (['8.2', '8.3', '8.4', '8.5', '8.6'] as $php) {
            foreach (['x86_64', 'arm64'] as $machine) {
                foreach (['glibc', 'musl'] as $libc) {
                    foreach (['nts', 'zts'] as $threads) {
                        $expected[] = $this->bash('archive_name "$@"', $php, $machine, $libc, $threads)[1];
                    }
                }
            }
        }
        self::assertCount(40, array_unique($expected));
        sort($expected);
        sort($names);
        self::assertSame($expected, $names);
        self::assertContains('php_xhprof-' . self::version() . '_php8.3-arm64-linux-musl-zts.zip', $names);
        self::assertContains('php_xhprof-' . self::version() . '_php8.6-x86_64-linux-glibc.zip', $names);
    }

    private static function version(): string
    {
        return trim((string) file_get_contents(self::ROOT . '/extension/VERSION'));
    }

    /** The name of the archive of what is built in extension/. */
    private static function own(): string
    {
        exec('ldd --version 2>&1', $lines);
        return sprintf(
            'php_xhprof-%s_php%d.%d-%s-linux-%s%s%s.zip',
            self::version(),
            PHP_MAJOR_VERSION,
            PHP_MINOR_VERSION,
            str_replace('aarch64', 'arm64', php_uname('m')),
            preg_grep('~musl~i', $lines) ? 'musl' : 'glibc',
            PHP_DEBUG ? '-debug' : '',
            PHP_ZTS ? '-zts' : '',
        );
    }

    /** @return array{int, string} */
    private function pack(string $name): array
    {
        return $this->bash('archive_pack "$1" "$2" strip', "$this->folder/$name", self::ROOT . '/extension/modules');
    }

    /** @return array{int, string} code and output */
    private function bash(string $script, string ...$words): array
    {
        $script = 'set -euo pipefail; . "$0/env.sh"; . "$0/archive.sh"; ' . $script;
        $command = ['bash', '-c', $script, self::ROOT . '/tools', ...$words];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $out, $code);
        return [$code, implode("\n", $out)];
    }
}

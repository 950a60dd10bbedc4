<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Runs tests of the engine, from the unpacked sources of a PHP, with its run-tests.php. */
final class EngineRun
{
    /** Folders with the engine's own tests. */
    public const ENGINE = [
        'Zend/tests', 'tests/classes', 'tests/lang', 'ext/spl/tests', 'ext/standard/tests/array', 'ext/reflection/tests',
    ];
    /** Folders with all tests, of the extensions too. */
    public const ALL = ['Zend', 'tests', 'ext', 'sapi/cli', 'sapi/cgi'];

    /**
     * @param string $root the project
     * @param string $source the unpacked sources
     * @param string $folder of the files to prepend, the logs and the results, absolute
     */
    public function __construct(
        private readonly string $root,
        private readonly string $php,
        private readonly string $source,
        private readonly string $folder,
    ) {
    }

    /** Whether the test did what its author expects. */
    public static function good(string $result): bool
    {
        return $result === 'PASSED' || $result === 'XFAILED';
    }

    /**
     * Fills a folder with the extensions that tests may load by name: without Xdebug, which crashes where it is loaded late.
     */
    public function libraries(): void
    {
        is_dir("$this->folder/ext") || mkdir("$this->folder/ext", recursive: true);
        foreach (glob("$this->root/build/php/ext/*.so") ?: [] as $library) {
            $link = "$this->folder/ext/" . basename($library);
            if (!str_ends_with($library, '/xdebug.so') && !is_link($link)) {
                symlink((string) realpath($library), $link);
            }
        }
    }

    /**
     * @param list<string> $folders below the sources
     * @return list<string> all tests in them, in order, each as its path below the sources
     */
    public static function found(string $source, array $folders): array
    {
        $tests = [];
        foreach ($folders as $folder) {
            $files = new \RecursiveIteratorIterator(
                new \RecursiveDirectoryIterator("$source/$folder", \FilesystemIterator::SKIP_DOTS),
            );
            foreach ($files as $file) {
                if ($file instanceof \SplFileInfo && $file->getExtension() === 'phpt') {
                    $tests[] = substr($file->getPathname(), strlen($source) + 1);
                }
            }
        }
        sort($tests);
        return $tests;
    }

    /**
     * @param string $text as PART has it, "2/4"; "" for all
     * @return array{int, int}|null its number and the number of parts; null where it is no part
     */
    public static function partNamed(string $text): ?array
    {
        if ($text === '') {
            return [1, 1];
        }
        $matches = preg_match('~^(\d{1,6})/(\d{1,6})$~D', $text, $match) === 1;
        return $matches && $match[1] > 0 && (int) $match[1] <= (int) $match[2] ? [(int) $match[1], (int) $match[2]] : null;
    }

    /**
     * @param list<string> $tests
     * @return list<string> every count-th of them
     */
    public static function part(array $tests, int $number, int $count): array
    {
        return array_values(array_filter(
            $tests,
            static fn(int $index): bool => $index % $count === $number - 1,
            ARRAY_FILTER_USE_KEY,
        ));
    }

    /**
     * @param string $name of the log and the results
     * @param list<string> $tests folders or files below the sources
     * @param string $prepend the name of the file to prepend
     * @param list<string> $settings INI settings
     * @param int $jobs tests at once
     * @param int $timeout seconds, of all together
     * @return array<string, string> test => PASSED, FAILED, SKIPPED, ...
     */
    public function run(
        string $name,
        array $tests,
        string $prepend,
        array $settings,
        bool $profiler,
        int $jobs,
        int $timeout,
    ): array {
        $file = "$this->folder/$name";
        $settings = ["extension_dir=$this->folder/ext", "auto_prepend_file=$this->folder/$prepend.php", ...$settings];
        if ($profiler) {
            $settings[] = "extension=$this->root/extension/modules/xhprof.so";
        }
        file_exists("$file.results") && unlink("$file.results");
        // A test that hangs outlives its run-tests.php: these limits end it.
        $command = ['sh', '-c', 'ulimit -t 120; ulimit -v 16777216; exec timeout --kill-after=10 "$0" "$@"', (string) $timeout];
        array_push($command, $this->php, '-n', 'run-tests.php', '-n', '-q', '--no-progress', '--no-color', '-W', "$file.results");
        if ($jobs > 1) {
            $command[] = "-j$jobs";
        }
        foreach ($settings as $setting) {
            array_push($command, '-d', $setting);
        }
        $environment = ['TEST_PHP_EXECUTABLE' => $this->php, 'NO_INTERACTION' => '1', 'SKIP_ONLINE_TESTS' => '1'] + getenv();
        file_put_contents("$file.log", '');
        $output = [['file', '/dev/null', 'r'], ['file', "$file.log", 'a'], ['file', "$file.log", 'a']];
        $process = proc_open([...$command, ...$tests], $output, $pipes, $this->source, $environment);
        $process === false ? throw new \RuntimeException('cannot run run-tests.php') : proc_close($process);
        $results = [];
        foreach (is_file("$file.results") ? (array) file("$file.results", FILE_IGNORE_NEW_LINES) : [] as $line) {
            [$result, $test] = explode("\t", (string) $line, 2) + [1 => ''];
            $results[str_starts_with($test, "$this->source/") ? substr($test, strlen($this->source) + 1) : $test] = $result;
        }
        return $results;
    }

    /** The test's expected and real output stay with the logs, as PREFIXTEST.diff; the next run of it would remove them. */
    public function keepDifference(string $test, string $prefix = ''): void
    {
        $difference = "$this->source/" . preg_replace('/\.phpt$/', '.diff', $test);
        if (is_file($difference)) {
            copy($difference, "$this->folder/$prefix" . strtr($test, '/', '_') . '.diff');
        }
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Tools\Servers\Folder;

/**
 * What each request costs, whatever it does: CPU time of requests that do nothing, of one process of php-cgi that serves them one
 * after the other. In a round all rows in turn, each compared with a row of the same round.
 */
final class EmptyRequests implements Part
{
    /** Name for --only. */
    public const NAME = 'requests';
    public const HOOKS_OFF = 'hooks=off';
    public const AGGREGATE = 'aggregate, hooks=off';
    public const SAMPLE = 'sample, hooks=off, nothing saved';
    public const SAVED = 'sample, hooks=off, saved';
    public const START_AND_STOP = 'start and stop of an exact profile, 1000 functions called before';

    private const SAVING_NOTHING = 'xhprof.save_slower_than_ms=3600000';
    private const FUNCTIONS = 1000;
    private const FUNCTIONS_ONLY = '1000 functions';
    private const EMPTY = 'empty.php';
    private const CALLS = 'calls.php';
    private const PROFILE = 'profile.php';
    private const REQUESTS = 10_000;
    private const QUICK = 20;
    /** Seconds of a row, for the estimate. */
    private const AROUND = 1.0;

    private readonly string $program;
    /** @var string|null why it cannot be measured here */
    public readonly ?string $missing;

    /** @param string $root of this repository: php-cgi may be unpacked there */
    public function __construct(
        private readonly Php $php,
        private readonly string $root,
        private readonly int $rounds,
        private readonly bool $quick,
    ) {
        $name = '/usr/bin/php-cgi' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        $this->program = is_executable($name) ? $name : "$root/build/bench/debian$name";
        $this->missing = is_executable($this->program) ? null : "no $name (tools/bench-deps.sh unpacks Debian's)";
    }

    /**
     * A row's script and settings, and the row that it is compared with; null: it is shown itself. Rows that write a run for each
     * request have a tenth of them.
     *
     * @return array<string, array{string, list<string>, string|null}> by row
     */
    private static function rows(string $extension): array
    {
        $load = "extension=$extension";
        $functions = [$load, ...Opcache::settings(Opcache::ON)];
        $all = [$load, 'xhprof.start_with_request=yes'];
        $sampled = [...$all, 'xhprof.hooks=off', 'xhprof.mode=sample'];

        return [
            Modes::BARE => [self::EMPTY, [], null],
            'idle' => [self::EMPTY, [$load], Modes::BARE],
            self::HOOKS_OFF => [self::EMPTY, [$load, 'xhprof.hooks=off'], Modes::BARE],
            self::AGGREGATE => [self::EMPTY, [...$all, 'xhprof.hooks=off', 'xhprof.mode=aggregate'], Modes::BARE],
            self::SAMPLE => [self::EMPTY, [...$sampled, self::SAVING_NOTHING], Modes::BARE],
            self::SAVED => [self::EMPTY, $sampled, Modes::BARE],
            'exact, nothing saved' => [self::EMPTY, [...$all, self::SAVING_NOTHING], Modes::BARE],
            self::FUNCTIONS_ONLY => [self::CALLS, $functions, null],
            self::START_AND_STOP => [self::PROFILE, $functions, self::FUNCTIONS_ONLY],
        ];
    }

    /** @return list<string> names of the rows */
    public static function names(): array
    {
        return array_keys(self::rows(''));
    }

    /** Whether a row is a time itself, not what is added to another's. */
    public static function isBase(string $row): bool
    {
        return self::rows('')[$row][2] === null;
    }

    public function steps(): int
    {
        return $this->missing === null ? count(self::names()) * $this->rounds : 0;
    }

    public function estimate(): float
    {
        return $this->steps() * ($this->quick ? 0.1 : self::AROUND);
    }

    public function run(Results $results, Progress $progress): void
    {
        if ($this->missing !== null) {
            return;
        }
        $samples = [];
        $rows = self::rows("$this->root/extension/modules/xhprof.so");
        for ($round = 1; $round <= $this->rounds; $round++) {
            $found = [];
            foreach ($rows as $row => [$script, $settings, $base]) {
                $progress->step("an empty request, round $round/$this->rounds, $row");
                $count = intdiv($this->quick ? self::QUICK : self::REQUESTS, $row === self::SAVED ? 10 : 1);
                try {
                    $found[$row] = $this->cpu($script, $settings, $count);
                } catch (Failure $failure) {
                    throw new Failure("an empty request, $row: {$failure->getMessage()}");
                }
                $samples[$row][] = $found[$row] - ($base === null ? 0.0 : $found[$base]);
            }
        }
        foreach ($samples as $row => $values) {
            $results->requests[$row] = new Figure($values);
        }
    }

    /**
     * @param list<string> $settings
     * @return float µs for one of the requests
     */
    private function cpu(string $script, array $settings, int $requests): float
    {
        $folder = ServerLoad::temporaryFolder();
        try {
            foreach (self::scripts() as $name => $code) {
                file_put_contents("$folder/$name", "<?php\n$code");
            }

            return $this->cpuIn($folder, $script, ["xhprof.output_dir=$folder", ...$settings], $requests);
        } finally {
            Folder::remove($folder);
        }
    }

    /** @param list<string> $settings */
    private function cpuIn(string $folder, string $script, array $settings, int $requests): float
    {
        $command = [...$this->php->pinned(), $this->program, '-n'];
        foreach ($settings as $setting) {
            array_push($command, '-d', $setting);
        }
        $environment = ['REQUEST_METHOD' => 'GET', 'SCRIPT_FILENAME' => "$folder/$script", 'REDIRECT_STATUS' => '200',
            'REQUEST_URI' => '/products/7?page=2', 'HTTP_HOST' => 'shop.test'];
        array_push($command, '-T', (string) $requests, $script);
        $before = self::cpuOfChildren();
        $outputs = [1 => ['file', '/dev/null', 'w'], 2 => ['file', "$folder/errors", 'w']];
        $process = proc_open($command, $outputs, $pipes, $folder, $environment);
        if ($process === false || proc_close($process) !== 0) {
            throw new Failure("$this->program failed: " . @file_get_contents("$folder/errors"));
        }

        return (self::cpuOfChildren() - $before) / $requests;
    }

    /** @return array<string, string> code by file */
    private static function scripts(): array
    {
        $functions = $calls = '';
        for ($i = 0; $i < self::FUNCTIONS; $i++) {
            $functions .= "function f$i(int \$a): int { return \$a + $i; }\n";
            $calls .= "f$i($i);\n";
        }

        return [
            self::EMPTY => '',
            self::CALLS => $functions . $calls,
            self::PROFILE => "$functions{$calls}xhprof_enable();\nxhprof_disable();\n",
        ];
    }

    private static function cpuOfChildren(): float
    {
        $usage = getrusage(1) ?: throw new Failure('there is no getrusage() here');
        $seconds = $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'];

        return 1e6 * $seconds + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** CPU time of requests that do nothing, of one process of php-cgi that serves them one after the other. */
final class EmptyRequests
{
    private const SAVING_NOTHING = 'xhprof.save_slower_than_ms=3600000';

    private readonly string $program;

    /** @param string $unpacked folder of packages that are not installed */
    public function __construct(private readonly string $extension, string $unpacked)
    {
        $name = '/usr/bin/php-cgi' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        $this->program = is_executable($name) ? $name : $unpacked . $name;
        if (!is_executable($this->program)) {
            throw new Failure("there is no $name (tools/bench-deps.sh unpacks Debian's)");
        }
    }

    /** @return array<string, list<string>> settings by mode */
    public static function modes(string $extension): array
    {
        $load = "extension=$extension";
        $all = [$load, 'xhprof.start_with_request=yes', self::SAVING_NOTHING];

        return [
            Modes::BARE => [],
            'idle' => [$load],
            'hooks=off' => [$load, 'xhprof.hooks=off'],
            'aggregate' => [...$all, 'xhprof.hooks=off', 'xhprof.mode=aggregate'],
            'sample, nothing saved' => [...$all, 'xhprof.hooks=off', 'xhprof.mode=sample'],
            'exact, nothing saved' => $all,
        ];
    }

    /** @return array<string, float> medians by mode, in µs: of the bare request, and what the others take more */
    public function measure(int $rounds, int $requests): array
    {
        $folder = sys_get_temp_dir() . '/xhprof-bench-' . bin2hex(random_bytes(5));
        mkdir($folder, 0o700);
        file_put_contents("$folder/empty.php", "<?php\n");
        $found = [];
        try {
            for ($round = 0; $round < max(1, $rounds); $round++) {
                $bare = 0.0;
                foreach (self::modes($this->extension) as $mode => $settings) {
                    $cpu = $this->cpu($folder, $settings, max(1, $requests));
                    $bare = $mode === Modes::BARE ? $cpu : $bare;
                    $found[$mode][] = $mode === Modes::BARE ? $cpu : $cpu - $bare;
                }
            }
        } finally {
            array_map(unlink(...), array_filter(glob("$folder/{,.}*", GLOB_BRACE) ?: [], is_file(...)));
            rmdir($folder);
        }

        return array_map(self::median(...), $found);
    }

    /**
     * @param list<string> $settings
     * @return float µs for one of the requests
     */
    private function cpu(string $folder, array $settings, int $requests): float
    {
        $command = [$this->program, '-n'];
        foreach (["xhprof.output_dir=$folder", ...$settings] as $setting) {
            array_push($command, '-d', $setting);
        }
        $environment = ['REQUEST_METHOD' => 'GET', 'SCRIPT_FILENAME' => "$folder/empty.php", 'REDIRECT_STATUS' => '200',
            'REQUEST_URI' => '/products/7?page=2', 'HTTP_HOST' => 'shop.test'];
        $before = self::cpuOfChildren();
        $sink = ['file', '/dev/null', 'w'];
        array_push($command, '-T', (string) $requests, 'empty.php');
        $process = proc_open($command, [1 => $sink, 2 => $sink], $pipes, $folder, $environment);
        if ($process === false || proc_close($process) !== 0) {
            throw new Failure("$this->program failed");
        }

        return (self::cpuOfChildren() - $before) / $requests;
    }

    private static function cpuOfChildren(): float
    {
        $usage = getrusage(1) ?: throw new Failure('there is no getrusage() here');
        $seconds = $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'];

        return 1e6 * $seconds + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    }

    /** @param list<float> $values */
    private static function median(array $values): float
    {
        sort($values);
        $middle = intdiv(count($values), 2);

        return count($values) % 2 === 1 ? $values[$middle] : ($values[$middle - 1] + $values[$middle]) / 2;
    }
}

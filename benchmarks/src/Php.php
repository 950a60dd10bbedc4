<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Tools\Servers\Leash;

/** Runs this PHP without any php.ini, usually pinned to one core, and loads only the given extensions. */
final class Php
{
    private const TIMEOUT = 300;
    private const SETTINGS = ['memory_limit=-1', 'display_errors=stderr', 'error_reporting=-1', 'zend.assertions=-1'];

    /** @var list<string> */
    private readonly array $prefix;
    /** @var list<string> */
    private readonly array $builtIn;
    private readonly bool $pinned;
    private string $warning = '';

    /** @param bool $pin false: on whichever core is free */
    public function __construct(private readonly string $binary = PHP_BINARY, bool $pin = true)
    {
        $prefix = is_executable('/usr/bin/timeout') ? ['/usr/bin/timeout', '-k', '5', (string) self::TIMEOUT] : [];
        $core = $pin ? self::core() : null;
        $this->pinned = $core !== null && is_executable('/usr/bin/taskset');
        require_once dirname(__DIR__, 2) . '/tools/servers/autoload.php';
        $this->prefix = [...Leash::command(), ...$this->pinned(), ...$prefix];
        $names = $this->json([], ['-r', 'echo json_encode(get_loaded_extensions());']);
        $this->builtIn = array_map(strtolower(...), array_values((array) $names));
    }

    /** The last core that this process may use: the first one usually gets the interrupts. */
    public static function core(): ?int
    {
        $status = (string) @file_get_contents('/proc/self/status');

        return preg_match('/^Cpus_allowed_list:.*?(\d+)$/m', $status, $match) === 1 ? (int) $match[1] : null;
    }

    public function isPinned(): bool
    {
        return $this->pinned;
    }

    /** @return list<string> a command that pins another program to the same core; none where PHP is not pinned */
    public function pinned(): array
    {
        return $this->pinned ? ['/usr/bin/taskset', '-c', (string) self::core()] : [];
    }

    /** @return string|null value for -d extension=, '' for a built-in one, null if there is no such extension */
    public function extension(string $name): ?string
    {
        if (in_array($name, $this->builtIn, true)) {
            return '';
        }
        $file = PHP_EXTENSION_DIR . "/$name.so";

        return is_file($file) ? $file : null;
    }

    /**
     * @param list<string> $extensions names
     * @return list<string> INI settings that load them
     */
    public function load(array $extensions): array
    {
        $settings = [];
        foreach ($extensions as $extension) {
            $file = (string) $this->extension($extension);
            if ($file !== '') {
                $settings[] = "extension=$file";
            }
        }

        return $settings;
    }

    /**
     * @param list<string> $settings INI settings
     * @param list<string> $arguments
     * @param list<string> $under a command that runs PHP
     * @return list<string>
     */
    public function command(array $settings, array $arguments, array $under = []): array
    {
        $command = [...$this->prefix, ...$under, $this->binary, '-n'];
        foreach ([...self::SETTINGS, ...$settings] as $setting) {
            array_push($command, '-d', $setting);
        }

        return [...$command, ...$arguments];
    }

    /** @return array<string, string> the environment of child processes */
    public static function environment(): array
    {
        return array_filter(
            getenv(),
            static fn(string $name): bool => preg_match('/^(XDEBUG|XHPROF|PHP|PEER_SO)/', $name) !== 1,
            ARRAY_FILTER_USE_KEY,
        );
    }

    /**
     * Runs a script that prints JSON.
     *
     * @param list<string> $settings INI settings
     * @param list<string> $arguments
     * @param bool $mayCrash after printing it: some extensions do at the end of the process (Excimer 1.0.4, now and then)
     * @param list<string> $under a command that runs PHP
     * @throws Failure if it fails or prints something else
     */
    public function json(array $settings, array $arguments, bool $mayCrash = false, array $under = []): mixed
    {
        $errors = tmpfile();
        if ($errors === false) {
            throw new Failure('cannot make a temporary file');
        }
        $descriptors = [['file', '/dev/null', 'r'], ['pipe', 'w'], $errors];
        $command = $this->command($settings, $arguments, $under);
        $process = proc_open($command, $descriptors, $pipes, null, self::environment());
        if ($process === false) {
            throw new Failure("cannot run $this->binary");
        }
        $output = (string) stream_get_contents($pipes[1]);
        fclose($pipes[1]);
        $code = proc_close($process);
        fseek($errors, 0);
        $warnings = (string) stream_get_contents($errors);
        $this->warning = self::line($warnings);
        if ($code !== 0 && !($mayCrash && str_ends_with($output, "}\n"))) {
            throw new Failure(self::reason($code, $warnings . $output));
        }
        try {
            return json_decode($output, true, 16, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw new Failure('unexpected output: ' . self::line($output));
        }
    }

    /** First line of the last run's errors. */
    public function warning(): string
    {
        return $this->warning;
    }

    private static function reason(int $code, string $output): string
    {
        if ($code === 124) {
            return sprintf('took more than %d seconds', self::TIMEOUT);
        }

        return self::line($output) ?: "exit code $code";
    }

    /** The first line that is not empty. */
    private static function line(string $text): string
    {
        return preg_match('/\S.*/', $text, $match) === 1 ? substr(trim($match[0]), 0, 300) : '';
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Script;

use XHProf\Cli\CliError;
use XHProf\Cli\UsageError;
use XHProf\Run\RunId;

/** Settings of a profiled script: the script, the kind of profile, and the run's destination. */
final class RunSettings
{
    /** One argument of a process is at most 128 KB on Linux; the settings are one, in hex digits. */
    private const MAX_BYTES = 60000;

    /** Entry of the command line's configuration (php -d) that the extension reads, as JSON in hex digits; see run_order.h. */
    public const ENTRY = 'xhprof_run.settings';

    /** In place of a script's file: PHP code, as `php -r` takes it. */
    public const CODE = '-r';

    /** In place of a script's file: standard input has it, as with `php -`. */
    public const INPUT = '-';

    /**
     * @param string                $script    its file, or CODE or INPUT
     * @param list<string>          $arguments of the script; of CODE the first is the code
     * @param int                   $flags     XHPROF_FLAGS_*
     * @param list<string>          $ignored   functions
     * @param array<string, string> $meta      saved with the run
     * @param string|null           $directory absolute path of the run folder, null if the run is not kept
     * @param bool                  $native    also record allocations of C code, with LD_PRELOAD
     * @param array{interval: int, clock: string, lines: bool}|null $sampling options of xhprof_sample_enable(), µs; null to
     *                                         record every call
     * @param int|null              $timelineThreshold µs that a call of the timeline must last; null for that of the settings
     * @throws CliError
     */
    public function __construct(
        public readonly string $script,
        public readonly array $arguments,
        public readonly int $flags,
        public readonly array $ignored,
        public readonly bool $runInit,
        public readonly string $source,
        public readonly array $meta,
        public readonly ?string $directory,
        public readonly bool $native = false,
        public readonly ?array $sampling = null,
        public readonly ?int $timelineThreshold = null,
    ) {
        if (!$this->isTyped() && (!is_file($script) || !is_readable($script))) {
            throw new CliError(is_dir($script) ? "$script is a folder" : "cannot read the script $script");
        }
        if (preg_match('/\A' . RunId::PART . '\z/', $source) !== 1) {
            throw new UsageError("--source takes 1 to 64 of A-Z a-z 0-9 _ -, not \"$source\"");
        }
    }

    /**
     * @param Handoff $handoff   place in which the process reports the saved run
     * @param string  $extension the extension for php to load, or ''
     * @return string hex digits for ENTRY
     */
    public function encode(Handoff $handoff, string $extension): string
    {
        $json = json_encode([
            'flags' => $this->flags,
            'options' => ['ignored_functions' => $this->ignored, 'run_init' => $this->runInit, 'native' => $this->native]
                + ($this->timelineThreshold === null ? [] : ['timeline_threshold' => $this->timelineThreshold]),
            'sampling' => $this->sampling,
            'source' => $this->source,
            'meta' => $this->meta === [] ? null : json_encode($this->meta, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR),
            'directory' => $this->directory ?? $handoff->directory,
            'handoff' => $handoff->file(),
            'extension' => $extension,
        ], JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
        if (strlen($json) > self::MAX_BYTES) {
            throw new CliError('--ignore and --meta are too long: they must fit in 60 000 bytes');
        }

        return bin2hex($json);
    }

    /**
     * @param list<string> $pairs KEY=VALUE
     * @return array<string, string>
     * @throws CliError
     */
    public static function meta(array $pairs): array
    {
        $meta = [];
        foreach ($pairs as $pair) {
            [$key, $value] = explode('=', $pair, 2) + [1 => null];
            if ($key === '' || $value === null) {
                throw new UsageError("--meta takes KEY=VALUE, not \"$pair\"");
            }
            $meta[$key] = $value;
        }

        return $meta;
    }

    /** @return list<string> the script and its arguments, for php behind its options */
    public function program(): array
    {
        return match ($this->script) {
            // php keeps no "--" before arguments, and takes what comes behind it for none of its options.
            self::INPUT => ['--', ...$this->arguments],
            self::CODE => [self::CODE, $this->arguments[0] ?? '', '--', ...array_slice($this->arguments, 1)],
            default => [$this->script, ...$this->arguments],
        };
    }

    /** Whether there is no file of the script. */
    private function isTyped(): bool
    {
        return in_array($this->script, [self::CODE, self::INPUT], true);
    }

    /**
     * The script and its arguments of what may be a whole command, "php script.php" or "php -r CODE", as people type it.
     *
     * @param list<string> $arguments
     * @return array{string, list<string>}
     * @throws UsageError for what is no script
     */
    public static function typed(string $script, array $arguments): array
    {
        if (preg_match('~\A(?:.*/)?php(?:\d(?:\.?\d)?)?\z~sD', $script) === 1 && (!is_file($script) || self::isBinary($script))) {
            $script = array_shift($arguments) ?? throw new UsageError('the script is missing: xhprof run script.php');
            if (preg_match('/\A-(?!-?\z|r)/', $script) === 1) {
                $like = '`xhprof run -d memory_limit=1G script.php`';
                throw new UsageError("options of php go before the script, like $like; here is $script");
            }
            if ($script === '--') {
                $script = array_shift($arguments) ?? self::INPUT;
            }
        }
        if ($script !== self::INPUT && str_starts_with($script, '-') && is_file($script)) {
            // php would take a name like -r for an option.
            return ["./$script", $arguments];
        }
        // As php: -r CODE or -rCODE.
        if (str_starts_with($script, self::CODE)) {
            $code = $script === self::CODE ? array_shift($arguments) : substr($script, strlen(self::CODE));
            if ($code === null || trim($code) === '') {
                throw new UsageError("the code is missing: xhprof run -- -r 'echo 1;'");
            }

            return [self::CODE, [$code, ...$arguments]];
        }
        if (preg_match('/\A-[a-zA-Z]/', $script) === 1) {
            throw new UsageError("xhprof run takes the file of a script, - or -r CODE, not \"$script\"");
        }

        return [$script, $arguments];
    }

    private static function isBinary(string $file): bool
    {
        return @file_get_contents($file, length: 4) === "\x7fELF";
    }

    /**
     * Options of php as written after --php-option: "memory_limit=1G", "-d memory_limit=1G", "-n", "-c FILE".
     *
     * @param list<string> $given
     * @return list<string>
     * @throws CliError
     */
    public static function phpOptions(array $given): array
    {
        $options = [];
        foreach ($given as $item) {
            if (preg_match('/^-([cdz])\s*(\S.*)$/sD', $item, $match) === 1) {
                array_push($options, "-$match[1]", $match[2]);
            } elseif ($item === '-n') {
                $options[] = $item;
            } elseif ($item !== '' && $item[0] !== '-') {
                array_push($options, '-d', $item);
            } else {
                throw new UsageError("--php-option takes KEY=VALUE, \"-c FILE\" or \"-n\", not \"$item\"");
            }
        }

        return $options;
    }
}

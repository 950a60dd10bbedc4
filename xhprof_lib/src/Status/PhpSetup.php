<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Cli\CliError;
use XHProf\Cli\PhpProbe;

/** XHProf settings of a php.ini, queried from the php that reads it. */
final class PhpSetup
{
    private const BEFORE = 'ob_start();'
        . 'extension_loaded("xhprof") && (new ReflectionExtension("xhprof"))->info();'
        . 'preg_match("/^Why no sampling => (.*)$/m", (string) ob_get_clean(), $refusal);';
    private const QUESTION = '"php" => PHP_VERSION . (PHP_ZTS ? " ZTS" : ""),'
        . '"file" => (string) php_ini_loaded_file(),'
        . '"more" => (string) php_ini_scanned_files(),'
        . '"version" => extension_loaded("xhprof") ? (string) phpversion("xhprof") : null,'
        . '"refusal" => $refusal[1] ?? "",'
        . '"settings" => extension_loaded("xhprof") ? (new ReflectionExtension("xhprof"))->getINIEntries() : [],';

    private const START = 'xhprof.start_with_request';

    /**
     * @param string                     $php      its version and build
     * @param list<string>               $files    php.ini and its additional files
     * @param string|null                $version  of the extension, null if it is not loaded
     * @param array<string, string|null> $settings "xhprof.mode" => "exact"
     * @param string                     $messages php's messages at its start
     * @param string                     $refusal  why nothing can be sampled, "" if it can
     */
    private function __construct(
        public readonly string $php,
        public readonly array $files,
        public readonly ?string $version,
        public readonly array $settings,
        public readonly string $messages,
        public readonly string $refusal,
    ) {
    }

    /**
     * @param string|null  $ini     php.ini, or the folder that holds it; null for that of this php
     * @param list<string> $options for php
     *
     * @throws CliError
     */
    public static function ask(?string $ini, array $options): self
    {
        $environment = getenv();
        if ($ini !== null) {
            if (!file_exists($ini)) {
                throw new CliError("$ini does not exist");
            }
            array_unshift($options, '-c', $ini);
            $more = (is_dir($ini) ? rtrim($ini, '/') : dirname($ini)) . '/conf.d';
            // The scan folder of the server's php: without it, this php's own would be read.
            $environment['PHP_INI_SCAN_DIR'] = is_dir($more) ? $more : '/dev/null';
            // The JIT decides whether anything can be sampled, and the server has one if opcache is on.
            array_push($options, '-d', 'opcache.enable_cli=1');
        }
        [$about, $printed] = PhpProbe::answer($options, self::QUESTION, self::BEFORE, $environment);
        $text = static fn (string $key): string => is_string($about[$key] ?? null) ? $about[$key] : '';
        $files = array_values(array_filter(array_map(trim(...), [$text('file'), ...explode(',', $text('more'))])));
        $settings = [];
        foreach (is_array($about['settings'] ?? null) ? $about['settings'] : [] as $name => $value) {
            $settings[(string) $name] = is_scalar($value) ? (string) $value : null;
        }
        if (isset($settings[self::START])) {
            $settings[self::START] = self::startOf($files, $options);
        }

        $version = isset($about['version']) ? $text('version') : null;

        return new self($text('php'), $files, $version, $settings, PhpProbe::firstLine($printed), $text('refusal'));
    }

    /**
     * xhprof.start_with_request as the files set it: the queried php has it switched off, or the query would make a run.
     *
     * @param list<string> $files   the last one counts
     * @param list<string> $options of php
     */
    private static function startOf(array $files, array $options): string
    {
        $start = 'no';
        foreach ($files as $file) {
            $entries = @parse_ini_file($file, false, INI_SCANNER_RAW);
            $value = is_array($entries) ? $entries[self::START] ?? null : null;
            $start = is_string($value) ? $value : $start;
        }
        foreach ($options as $option) {
            if (preg_match('/\A' . preg_quote(self::START, '/') . '\s*=\s*["\']?([^"\']*)/', $option, $match) === 1) {
                $start = $match[1];
            }
        }

        return trim($start);
    }

    /** Returns this PHP with the settings of a pool in the place of those of php.ini. */
    public function withPool(FpmPool $pool): self
    {
        // Names unknown to the extension are no settings.
        $settings = array_replace($this->settings, array_intersect_key($pool->settings, $this->settings));

        return new self($this->php, $this->files, $this->version, $settings, $this->messages, $this->refusal);
    }

    /** "/etc/php/8.2/fpm/php.ini and 32 files in /etc/php/8.2/fpm/conf.d". */
    public function read(): string
    {
        $others = array_count_values(array_map(dirname(...), array_slice($this->files, 1)));
        $more = array_map(
            static fn (string $folder, int $count): string => ($count === 1 ? '1 file' : "$count files") . " in $folder",
            array_keys($others),
            $others,
        );

        return implode(' and ', [$this->files[0] ?? 'no php.ini', ...$more]);
    }

    public function text(string $name): string
    {
        return $this->settings["xhprof.$name"] ?? '';
    }

    /** A number with a suffix K, M or G, as in php.ini. */
    public function number(string $name): int
    {
        return (int) @ini_parse_quantity($this->text($name));
    }

    /** @return bool whether the extension knows how to start by itself */
    public function canStart(): bool
    {
        return array_key_exists('xhprof.start_with_request', $this->settings);
    }

    /** "no", "yes", "trigger" or "sampled", from any spelling. */
    public function start(): string
    {
        return match ($start = strtolower($this->text('start_with_request'))) {
            '', '0', 'off', 'no' => 'no',
            '1', 'on', 'yes' => 'yes',
            'trigger', 'sampled' => $start,
            // A wrong value is refused with a warning, and the previous one stays.
            default => 'no',
        };
    }
}

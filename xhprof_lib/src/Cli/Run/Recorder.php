<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

/**
 * The part of `xhprof run` that lives in the profiled process. Loaded by prepend.php without any
 * autoloader. It makes no object, variable, constant or environment variable while the script runs, so that
 * even the numbers that var_dump() gives to objects are those of an unprofiled run.
 *
 * The profile stops after the script's shutdown functions and destructors, as the last thing that PHP code
 * can do. That is the destructor of an object made when shutdown begins: it is called also after a
 * fatal error, which only spares the objects of before, and after an exit() in a shutdown function,
 * which only skips the other shutdown functions. Nothing here calls a function of PHP while the profile runs, so
 * that none of ours is in it.
 */
final class Recorder
{
    /** Entry of the command line's configuration (php -d) with the settings, as JSON in hex digits. */
    public const SETTINGS = 'xhprof_run.settings';

    public static int $flags = 0;

    /** @var array{ignored_functions: list<string>, run_init: bool, native?: bool} */
    public static array $options = ['ignored_functions' => [], 'run_init' => false];

    /** @var array<string, int|string|bool>|null options of xhprof_sample_enable(); null to record every call */
    public static ?array $sampling = null;

    /** The auto_prepend_file that ours stands in front of, or ''. */
    public static string $chained = '';

    private static string $source = '';

    /** @var array<string, mixed> */
    private static array $meta = [];

    private static string $directory = '';
    private static string $handoff = '';
    private static int $pid = 0;

    /** The object whose destructor stops the profile; made when shutdown begins, and only kept here. */
    public static ?self $guard = null;

    private function __construct(private readonly bool $isLast)
    {
    }

    /** @return bool whether to profile */
    public static function prepare(): bool
    {
        $digits = get_cfg_var(self::SETTINGS);
        $settings = json_decode((string) hex2bin(is_string($digits) ? $digits : ''), true);
        if (!is_array($settings)) {
            return false;
        }
        self::$flags = $settings['flags'];
        self::$options = $settings['options'];
        self::$sampling = $settings['sampling'] ?? null;
        self::$chained = $settings['prepend'];
        self::$source = $settings['source'];
        self::$meta = $settings['meta'];
        self::$directory = $settings['directory'];
        self::$handoff = $settings['handoff'];
        self::$pid = (int) getmypid();
        register_shutdown_function(self::class . '::shutdown');

        return true;
    }

    /** @internal called by PHP */
    public static function shutdown(): void
    {
        self::$guard = new self(false);
    }

    public function __destruct()
    {
        if (self::$handoff === '') {
            return;
        }
        if (!$this->isLast) {
            // destructors run in the order the objects were made: the one made now comes last
            self::$guard = new self(true);

            return;
        }
        self::stop();
    }

    private static function stop(): void
    {
        // null: the script has stopped it before, perhaps started others, and the last stopped is what gets saved
        $whole = (self::$sampling === null ? xhprof_disable() : xhprof_sample_disable()) !== null;
        $handoff = self::$handoff;
        self::$handoff = '';
        // a fork of the script has a copy of the profile, but is not what was asked for
        if (self::$pid !== getmypid()) {
            return;
        }
        $result = ['error' => null, 'id' => null, 'whole' => $whole];
        try {
            // the script is over: its limits must not keep the profile from being saved
            self::set('memory_limit', '-1');
            self::set('max_execution_time', '0');
            self::set('xhprof.output_dir', self::$directory);
            if (function_exists('putenv')) {
                // it is stronger than the ini entry; nobody but xhprof_save() looks at it any more
                putenv('XHPROF_OUTPUT_DIR=' . self::$directory);
            }
            $result['id'] = xhprof_save(self::$source, self::$meta);
        } catch (\Throwable $error) {
            $result['error'] = $error->getMessage();
        }
        @file_put_contents($handoff, json_encode($result, JSON_INVALID_UTF8_SUBSTITUTE));
    }

    private static function set(string $entry, string $value): void
    {
        if (function_exists('ini_set')) {
            @ini_set($entry, $value);
        }
    }
}

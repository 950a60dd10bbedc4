<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

/**
 * The part of `xhprof run` that lives in the profiled process. Loaded by prepend.php without any
 * autoloader. It makes no object, variable, constant or environment variable while the script runs, so that
 * even the numbers that var_dump() gives to objects are those of an unprofiled run.
 *
 * When the profile stops: after the script's shutdown functions and destructors, as the last thing
 * that PHP code can do. After a fatal error there are no destructors, so the last shutdown function
 * stops it; a shutdown function that calls exit() takes the others with it, but not the destructors.
 */
final class Recorder
{
    /** Entry of the command line's configuration (php -d) with the settings, as JSON in hex digits. */
    public const SETTINGS = 'xhprof_run.settings';

    /** Shutdown functions may register others, which run after ours: go to the end of the queue so often. */
    private const ROUNDS = 3;

    private const FATAL = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;

    public static int $flags = 0;

    /** @var array{ignored_functions: list<string>, run_init: bool} */
    public static array $options = ['ignored_functions' => [], 'run_init' => false];

    /** The auto_prepend_file that ours stands in front of, or ''. */
    public static string $chained = '';

    private static string $source = '';

    /** @var array<string, mixed> */
    private static array $meta = [];

    private static string $directory = '';
    private static string $handoff = '';
    private static int $pid = 0;
    private static int $round = 0;

    /** The object whose destructor stops the profile; made when shutdown begins. */
    private static ?self $guard = null;

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
        self::$guard ??= new self(false);
        $error = error_get_last();
        $isFatal = $error !== null && ($error['type'] & self::FATAL) !== 0;
        if (self::$round++ < self::ROUNDS) {
            register_shutdown_function(self::class . ($isFatal ? '::fatalShutdown' : '::shutdown'));
        } elseif ($isFatal) {
            self::stop();
        }
    }

    /** @internal called by PHP; the script's shutdown functions may have cleared the error since */
    public static function fatalShutdown(): void
    {
        if (self::$round++ < self::ROUNDS) {
            register_shutdown_function(self::class . '::fatalShutdown');
        } else {
            self::stop();
        }
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
        $handoff = self::$handoff;
        self::$handoff = '';
        // a fork of the script has a copy of the profile, but is not what was asked for
        if ($handoff === '' || self::$pid !== getmypid()) {
            return;
        }
        xhprof_disable();
        // the script is over: its limits must not keep the profile from being saved
        @ini_set('memory_limit', '-1');
        @set_time_limit(0);
        $result = ['error' => null, 'id' => null, 'directory' => self::$directory];
        try {
            if ((string) ini_get('xhprof.output_dir') !== self::$directory) {
                @ini_set('xhprof.output_dir', self::$directory);
                $result['directory'] = (string) ini_get('xhprof.output_dir');
            }
            $result['id'] = xhprof_save(self::$source, self::$meta);
        } catch (\Throwable $error) {
            $result['error'] = $error->getMessage();
        }
        @file_put_contents($handoff, json_encode($result, JSON_INVALID_UTF8_SUBSTITUTE));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Testing;

use XHProf\Check\Traits;
use XHProf\Format\Text;
use XHProf\Run\RunId;
use XHProf\Script\RunSettings;
use XHProf\Store\RunFolder;

/**
 * Profiles a piece of code of a test, and saves it as a run.
 *
 * @internal see ProfilesCode
 */
final class Profiler
{
    /** The source of the runs. */
    public const SOURCE = 'phpunit';

    private const OPERATIONS = 'xhprof.collect_additional_info';

    /** Whether one of our own profiles runs. */
    private static bool $isRunning = false;

    private function __construct()
    {
    }

    /**
     * Why nothing can be profiled in this process; '' if it can.
     *
     * @throws \LogicException within the code of another assertion
     */
    public static function refusal(): string
    {
        if (!function_exists('xhprof_enable') || !function_exists('xhprof_save')) {
            return 'the extension xhprof is not loaded: the code was not profiled';
        }
        if (self::$isRunning) {
            throw new \LogicException('An assertion of ProfilesCode stands within the code of another one:'
                . ' only one profile runs at a time. Put one after the other.');
        }
        if (get_cfg_var(RunSettings::ENTRY) !== false) {
            return 'xhprof run profiles this process as a whole, and an assertion would end that profile';
        }

        return self::isBusy() ? 'another profile runs, and an assertion would end it' : '';
    }

    /** Whether a profile of somebody else runs: then xhprof_enable() does nothing, and does not even look at its options. */
    private static function isBusy(): bool
    {
        try {
            @xhprof_enable(0, ['ignored_functions' => 0]);
        } catch (\TypeError) {
            return false;
        }

        return true;
    }

    /**
     * Calls the code and saves its profile. What the code throws is thrown, and leaves no run.
     *
     * @template T
     *
     * @param callable(): T $code
     *
     * @return array{T, RunId|null, string} what it returned, the run, and why there is none: '' where the code ended it
     */
    public static function profile(callable $code, string $test): array
    {
        $wanted = ini_get(self::OPERATIONS) !== '1' ? ini_set(self::OPERATIONS, '1') : false;
        $refused = '';
        set_error_handler(static function (int $level, string $message) use (&$refused): bool {
            $refused = $message;

            return true;
        });
        try {
            xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
        } finally {
            restore_error_handler();
        }
        self::$isRunning = true;
        $edges = null;
        try {
            $result = $code();
        } finally {
            $edges = xhprof_disable();
            self::$isRunning = false;
            $wanted === false || ini_set(self::OPERATIONS, $wanted);
        }
        if ($edges === null) {
            return [$result, null, $refused];
        }
        $id = xhprof_save(self::SOURCE, [Traits::TEST => Text::utf8($test)]);

        return [$result, RunId::fromStrings($id, self::SOURCE), ''];
    }

    /** @return list<string> the functions that load classes in this process, under the names that profiles have */
    public static function loaders(): array
    {
        $names = [];
        foreach (spl_autoload_functions() as $loader) {
            if ($loader instanceof \Closure) {
                $names[] = self::nameOf($loader);
            } elseif (is_array($loader)) {
                $names[] = (is_object($loader[0]) ? $loader[0]::class : (string) $loader[0]) . "::$loader[1]";
            } elseif (is_string($loader)) {
                $names[] = $loader;
            }
        }

        return $names;
    }

    /** "App\Kernel::{closure:src/Kernel.php:12}", or the name of a function that was made a closure. */
    private static function nameOf(\Closure $closure): string
    {
        $function = new \ReflectionFunction($closure);
        $class = $function->getClosureScopeClass()?->getName();
        $file = (string) $function->getFileName();
        $name = str_contains($function->getName(), '{closure')
            ? '{closure:' . basename(dirname($file)) . '/' . basename($file) . ":{$function->getStartLine()}}"
            : $function->getName();

        return $class === null ? $name : "$class::$name";
    }

    /** The folder in which the extension has saved the run: it has the same rules. */
    public static function folder(): RunFolder
    {
        return new RunFolder();
    }
}

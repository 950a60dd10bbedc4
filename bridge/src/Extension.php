<?php

declare(strict_types=1);

namespace XHProf\Bridge;

/** The PHP extension, as this process has it: whether it can record, and what records this request by settings. */
final class Extension
{
    private const HEADER = 'X-XHProf-Run';

    private static bool $isSaid = false;

    public static function isLoaded(): bool
    {
        return function_exists('xhprof_enable') && function_exists('xhprof_save');
    }

    /** @return string|null why nothing can be recorded, as a sentence; null where it can */
    public static function problem(): ?string
    {
        return match (true) {
            !self::isLoaded() => 'The PHP extension xhprof is not loaded in this PHP (' . PHP_VERSION . ', ' . PHP_SAPI
                . '): no request is recorded. "php --ri xhprof" shows whether a PHP has it; docs/install.md has how to install it.',
            ini_get('xhprof.hooks') === 'off' => 'Requests cannot be recorded on demand: xhprof.hooks is off in php.ini, so only'
                . ' samples are possible.',
            default => null,
        };
    }

    /**
     * Passes the problem on, once per process.
     *
     * @param callable(string): mixed $say
     */
    public static function sayOnce(callable $say): void
    {
        $problem = self::$isSaid ? null : self::problem();
        if ($problem !== null) {
            self::$isSaid = true;
            $say($problem);
        }
    }

    /** Whether settings record this request, or job, as a run of its own: then the bridge records nothing. */
    public static function records(): bool
    {
        if (!self::isLoaded()) {
            return false;
        }
        if (function_exists('xhprof_run_id')) {
            return xhprof_run_id() !== null;
        }
        $start = ini_get('xhprof.start_with_request');
        $isTriggered = !in_array((string) getenv('XHPROF_TRIGGER'), ['', '0'], true);

        return self::sentId() !== null || ($start === 'yes' && ini_get('xhprof.mode') !== 'aggregate')
            || ($isTriggered && in_array($start, ['trigger', 'sampled'], true));
    }

    /** @return string|null the id of the run that settings record; null also where it is not known */
    public static function runId(): ?string
    {
        return self::isLoaded() && function_exists('xhprof_run_id') ? xhprof_run_id() : self::sentId();
    }

    /** @return string the source of runs that settings record */
    public static function source(): string
    {
        return (string) ini_get('xhprof.source');
    }

    private static function sentId(): ?string
    {
        foreach (headers_list() as $line) {
            if (preg_match('/\A' . self::HEADER . ':\s*([0-9a-f]{32})\s*\z/i', $line, $match) === 1) {
                return $match[1];
            }
        }

        return null;
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Cli;

use XHProf\File\Folder;
use XHProf\Format\QuantityParser;
use XHProf\Format\Units;

/**
 * Memory limit of this process. Of a command that reads files: a share of the memory that the machine and its cgroup have left, so
 * that a hostile or too large file ends this process with a message and harms no other process of the machine. Of what
 * listens to the network a number of bytes of its own.
 */
final class MemoryLimit
{
    /** A size like 2G, instead of the remaining memory. */
    public const VARIABLE = 'XHPROF_MEMORY_LIMIT';

    /** Limit of the command that sends runs: it reads no run that takes more than a fourth of this. */
    public const SENDER = 256 << 20;

    /** Limit of the pages: the mean of two runs of 100 000 edges takes 410 MB. */
    public const PAGES = 512 << 20;

    private const SHARE = 0.9;
    private const MIN_BYTES = 128 << 20;

    /** Limit of a cgroup without a limit, in pages of any size. */
    private const NO_LIMIT = 1 << 60;

    private static int $limit = 0;

    /** Raises or lowers memory_limit; exceeding it prints one line on stderr and exits with code 1. */
    public static function start(): void
    {
        $bytes = self::bytes();
        if ($bytes === null) {
            ini_set('memory_limit', '-1');
            return;
        }
        self::$limit = $bytes;
        ini_set('memory_limit', (string) $bytes);
        // PHP prints a fatal error before our handler runs; our handler prints those that PHP would print.
        ini_set('display_errors', '0');
        ini_set('log_errors', '0');
        set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
            if ((error_reporting() & $level) !== 0) {
                self::say("PHP: $message in $file on line $line");
            }

            return false;
        });
        register_shutdown_function(static function (): void {
            $error = error_get_last();
            if ($error === null || ($error['type'] & (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR)) === 0) {
                return;
            }
            ini_set('memory_limit', '-1');
            $isMemory = preg_match('/\A(?:Allowed memory size|Out of memory)/', $error['message']) === 1;
            $most = Units::bytes(self::$limit);
            self::say($isMemory
                ? "xhprof: the memory limit of $most is not enough; " . self::VARIABLE . '=SIZE raises it'
                : "xhprof: internal error: $error[message] in $error[file] on line $error[line]");
            // After those of others, who may have a file to remove.
            register_shutdown_function(static fn () => exit(1));
        });
    }

    /** Lowers it to a command's own limit, if the user has given none and less than that is not left anyway. */
    public static function own(int $bytes): void
    {
        $isLower = self::$limit === 0 || self::$limit > $bytes;
        if (self::given() === null && $isLower && ini_set('memory_limit', (string) $bytes) !== false) {
            self::$limit = $bytes;
        }
    }

    /** @return int|null what the user has given; null for nothing */
    public static function given(): ?int
    {
        $given = getenv(self::VARIABLE);
        $bytes = is_string($given) && $given !== '' ? QuantityParser::bytes($given) : null;

        return $bytes !== null && $bytes > 0 ? $bytes : null;
    }

    /**
     * @param string $root of /proc and /sys
     *
     * @return int|null null if the remaining memory is unknown
     */
    public static function bytes(string $root = ''): ?int
    {
        $given = self::given();
        if ($given !== null) {
            return $given;
        }
        $left = array_filter([self::machine($root), self::cgroup($root)], is_int(...));

        return $left === [] ? null : max(self::MIN_BYTES, (int) (min($left) * self::SHARE));
    }

    private static function machine(string $root): ?int
    {
        $found = preg_match('/^MemAvailable:\s+([0-9]{1,15}) kB$/m', self::text("$root/proc/meminfo"), $match) === 1;

        return $found ? (int) $match[1] * 1024 : null;
    }

    /** The least memory left in this process's cgroups. */
    private static function cgroup(string $root): ?int
    {
        $left = [];
        preg_match_all('/^[0-9]+:([^:\n]*):(\/[^\n]*)$/m', self::text("$root/proc/self/cgroup"), $lines, PREG_SET_ORDER);
        foreach ($lines as [, $controllers, $path]) {
            $isFirst = in_array('memory', explode(',', $controllers), true);
            if ($controllers !== '' && !$isFirst) {
                continue;
            }
            [$home, $limit, $used] = $isFirst
                ? ["$root/sys/fs/cgroup/memory", 'memory.limit_in_bytes', 'memory.usage_in_bytes']
                : ["$root/sys/fs/cgroup", 'memory.max', 'memory.current'];
            // Within a container the path may be the host's: the container's own cgroup is the root then.
            $parts = array_values(array_filter(explode('/', $path), static fn (string $part): bool => $part !== ''));
            for ($count = count($parts); $count >= 0; $count--) {
                $at = implode('', array_map(static fn (string $part): string => "/$part", array_slice($parts, 0, $count)));
                $most = trim(self::text("$home$at/$limit"));
                if (ctype_digit($most) && strlen($most) < 19 && (int) $most < self::NO_LIMIT) {
                    $left[] = (int) $most - (int) self::text("$home$at/$used") + self::cached(self::text("$home$at/memory.stat"));
                }
            }
        }

        return $left === [] ? null : max(0, min($left));
    }

    /** Bytes of the page cache: the cgroup counts them as used, but can free them. */
    private static function cached(string $stat): int
    {
        preg_match_all('/^(?:active|inactive)_file ([0-9]{1,15})$/m', $stat, $match);

        return array_sum(array_map(intval(...), $match[1]));
    }

    private static function text(string $file): string
    {
        [$text] = Folder::attempt(static fn () => is_file($file) ? file_get_contents($file) : '');

        return (string) $text;
    }

    private static function say(string $line): void
    {
        // Written once and not checked: stderr may be full or closed.
        @file_put_contents('php://stderr', preg_replace('/[\x00-\x1F\x7F]+/', ' ', $line) . "\n");
    }
}

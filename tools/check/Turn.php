<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/**
 * Whose turn it is in Rotation. The last commit of a landing has the number, as "Turn: 7" at the end of its message (make turn):
 * landings with consecutive numbers have everything. A clone may have no other commit than this one. Without a number its hash
 * decides: no part is left out for ever, but it is chance which comes when.
 */
final class Turn
{
    /**
     * @param string $root of the checkout
     * @param string $number that is asked for instead; "" for none
     * @throws \InvalidArgumentException for what is no number
     */
    public static function of(string $root, string $number = ''): int
    {
        if ($number !== '') {
            return self::number($number) ?? throw new \InvalidArgumentException("TURN=$number is no number");
        }
        // The checkout may be another user's.
        $format = '--format=%H %(trailers:key=Turn,valueonly,separator=%x20)';
        $command = ['git', '-c', "safe.directory=$root", '-C', $root, 'log', '-1', $format];
        $git = proc_open($command, [1 => ['pipe', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
        [$hash, $given] = explode(' ', trim($git === false ? '' : (string) stream_get_contents($pipes[1])), 2) + ['', ''];
        return self::number($given) ?? (int) hexdec(substr($hash, 0, 7));
    }

    private static function number(string $text): ?int
    {
        return preg_match('/^\d{1,9}$/D', $text) === 1 ? (int) $text : null;
    }
}

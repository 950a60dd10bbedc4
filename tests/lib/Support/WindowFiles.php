<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

/** Files of windows in the form that the extension gives them, with as much of their records as WaitingRequests reads. */
final class WindowFiles
{
    /**
     * @param list<int> $requests per record
     * @param int       $taken    number of the journal whose data it has
     * @param list<int> $versions of the records, one after the other, and again
     */
    public static function spool(array $requests, int $taken = 0, array $versions = [9]): string
    {
        $records = '';
        foreach ($requests as $i => $number) {
            $records .= self::record($number, $versions[$i % count($versions)]);
        }

        return 'XSPOOL02' . pack('P7', 88 + strlen($records), 0, 0, 0, 0, 0, $taken) . str_repeat("\0", 24) . $records;
    }

    /**
     * @param list<int> $requests per record
     * @param string    $mark     8 bytes, before each record that counts
     */
    public static function journal(array $requests, string $mark = 'a mark..'): string
    {
        $records = implode('', array_map(static fn (int $number): string => $mark . self::record($number), $requests));

        return 'XSPJRNL2' . $mark . pack('P6', 64, 0, 0, 0, 0, 0) . $records;
    }

    private static function record(int $requests, int $version = 9): string
    {
        // The process has ten bytes; then the interval, the clock, from, to.
        $numbers = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" . "\x90\x4e" . "\0" . "\x05" . "\x06" . self::number($requests);
        $record = $version . 'RAX' . pack('V', strlen($numbers)) . str_repeat("\0", 16) . $numbers;

        return str_pad($record, (strlen($record) + 7) & ~7, "\0");
    }

    private static function number(int $number): string
    {
        $bytes = '';
        for (; $number >= 0x80; $number >>= 7) {
            $bytes .= chr($number & 0x7f | 0x80);
        }

        return $bytes . chr($number);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Testing;

use XHProf\Check\Baseline;
use XHProf\Check\Checker;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;

/** The baseline of tests: one file, which tests that run at the same time may write. */
final class TestBaseline
{
    public const FILE = 'xhprof-tests.json';

    /** In the environment: tests write what they find, instead of comparing. */
    public const WRITE = 'XHPROF_WRITE_BASELINE';

    private function __construct()
    {
    }

    public static function isWritten(): bool
    {
        return !in_array(getenv(self::WRITE), [false, '', '0'], true);
    }

    /** @throws \XHProf\Exception\InvalidCheck if it is no baseline */
    public static function read(string $file): Baseline
    {
        $writes = self::WRITE . '=1';

        return is_file($file) ? Baseline::read($file, $writes) : new Baseline([], $file, $writes);
    }

    /**
     * Adds what a checker has seen.
     *
     * @param \Closure(Baseline): Checker $checker of the present baseline; it keeps what it does not see
     *
     * @throws StoreError|\XHProf\Exception\InvalidCheck
     */
    public static function add(string $file, \Closure $checker): void
    {
        $lock = self::lock($file);
        try {
            $json = $checker(self::read($file))->baseline()->json();
            $new = $file . '.' . getmypid();
            [$bytes, $why] = Folder::attempt(static fn () => file_put_contents($new, $json));
            if ($bytes !== strlen($json) || !rename($new, $file)) {
                throw new StoreError("cannot write to $file: $why");
            }
        } finally {
            Folder::attempt(static fn () => unlink("$file.lock"));
            fclose($lock);
        }
    }

    /**
     * @return resource
     *
     * @throws StoreError
     */
    private static function lock(string $file)
    {
        do {
            [$lock, $why] = Folder::attempt(static fn () => fopen("$file.lock", 'c'));
            if ($lock === false) {
                throw new StoreError("cannot write to $file: $why");
            }
            flock($lock, LOCK_EX);
            // Who had it before has removed the file, and another process may have made a new one.
            clearstatcache();
            [$there] = Folder::attempt(static fn () => stat("$file.lock"));
        } while (($there === false ? 0 : $there['ino']) !== (fstat($lock)['ino'] ?? 0));

        return $lock;
    }
}

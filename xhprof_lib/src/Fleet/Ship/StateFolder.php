<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;

/** The folder of a shipper's states. Only one shipper at a time uses it. */
final class StateFolder
{
    /** State folder of the service xhprof-ship. */
    public const SERVICE = '/var/lib/xhprof-ship';

    private const LOCK = '.lock';
    private const TRIES = 20;

    /** @param resource $lock */
    private function __construct(public readonly string $path, private $lock)
    {
    }

    /** @return string STATE_DIRECTORY, which systemd sets; else xhprof-ship in the user's own folder for states; '' without a home */
    public static function default(): string
    {
        $given = (string) getenv('STATE_DIRECTORY');
        $xdg = (string) getenv('XDG_STATE_HOME');
        $home = (string) getenv('HOME');

        return match (true) {
            // Several are separated by colons.
            $given !== '' => (string) strtok($given, ':'),
            str_starts_with($xdg, '/') => rtrim($xdg, '/') . '/xhprof-ship',
            str_starts_with($home, '/') => rtrim($home, '/') . '/.local/state/xhprof-ship',
            default => '',
        };
    }

    /**
     * Creates the folder if it is missing, and locks it for as long as this object lives.
     *
     * @throws StoreError
     */
    public static function lock(string $path): self
    {
        [$done, $why] = Folder::attempt(static fn (): bool => is_dir($path) || mkdir($path, 0750, true) || is_dir($path));
        if (!$done) {
            throw new StoreError("the state folder $path cannot be made: $why");
        }
        $file = "$path/" . self::LOCK;
        [$lock, $why] = Folder::attempt(static fn () => fopen($file, 'cbn'));
        if ($lock === false) {
            throw new StoreError("the state folder $path cannot be written: $why");
        }
        // One that only looks has it for a moment.
        for ($try = 1; !flock($lock, LOCK_EX | LOCK_NB) && $try < self::TRIES; $try++) {
            usleep(10000);
        }
        if ($try === self::TRIES) {
            throw new StoreError("another xhprof ship uses the state folder $path; a second one needs --state=FOLDER of its own");
        }

        return new self($path, $lock);
    }

    /** Whether a shipper uses the folder now; null if that cannot be seen. */
    public static function isLocked(string $path): ?bool
    {
        $file = "$path/" . self::LOCK;
        [$lock] = Folder::attempt(static fn () => is_file($file) ? fopen($file, 'rbn') : false);
        if ($lock === false) {
            return null;
        }
        $isFree = flock($lock, LOCK_SH | LOCK_NB);
        fclose($lock);

        return !$isFree;
    }

    public function release(): void
    {
        flock($this->lock, LOCK_UN);
    }
}

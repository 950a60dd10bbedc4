<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Run\RunRecording;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Store\WaitingRequests;

/** State of the run folder: its contents, and who may write there. */
final class FolderState
{
    /**
     * @param string             $owner   "www-data", and the mode as "0750"
     * @param array<string, int> $starts  runs by their start, "manual" unless settings are known to have started them
     * @param int                $bytes   of all files of the runs
     * @param list<array{source: string, requests: int, bytes: int, written: int}> $spools in which processes gather windows
     * @param bool               $isIndexed  whether an index is kept in a file
     * @param bool               $isReadable false if the contents are unknown: the folder is another user's own
     * @param bool               $isListable false if the contents are unknown: this PHP has no SQLite
     */
    private function __construct(
        public readonly string $path,
        public readonly bool $exists,
        public readonly bool $isWritable,
        public readonly string $owner,
        public readonly int $mode,
        public readonly int $runs,
        public readonly int $bytes,
        public readonly array $starts,
        public readonly ?RunEntry $newest,
        public readonly array $spools,
        public readonly bool $isIndexed,
        public readonly bool $isReadable = true,
        public readonly bool $isListable = true,
    ) {
    }

    public static function read(RunFolder $store): self
    {
        $path = $store->directory();
        if (!is_dir($path)) {
            return new self($path, false, false, '', 0, 0, 0, [], null, [], false);
        }
        $stat = @stat($path);
        $uid = $stat === false ? null : $stat['uid'];
        $name = $uid !== null && function_exists('posix_getpwuid') ? posix_getpwuid($uid)['name'] ?? null : null;
        $isReadable = is_readable($path) && is_executable($path);
        $isListable = extension_loaded('pdo_sqlite');
        $catalog = $isReadable && $isListable ? $store->catalog() : null;
        $starts = [];
        $bytes = 0;
        $newest = null;
        foreach ($catalog?->find(new RunQuery(), PHP_INT_MAX)->runs ?? [] as $run) {
            $newest ??= $run;
            $start = $run->meta->recording->start ?? 'manual';
            $starts[$start] = ($starts[$start] ?? 0) + 1;
            $bytes += $run->size;
        }

        $bySettings = array_diff(RunRecording::STARTS, ['manual']);

        return new self(
            $path,
            true,
            $store->isWritable(),
            $name ?? ($uid === null ? '?' : "user $uid"),
            $stat === false ? 0 : $stat['mode'] & 07777,
            (int) array_sum($starts),
            $bytes,
            array_replace(array_intersect_key(array_fill_keys([...$bySettings, 'manual'], 0), $starts), $starts),
            $newest,
            WaitingRequests::in($path)->spools,
            $catalog === null || $catalog->isIndexed(),
            $isReadable,
            $isListable,
        );
    }

    /**
     * Whether a user may write there, judged by owner, group and mode.
     *
     * @return bool|null null if there is no such user
     */
    public function canWrite(string $user): ?bool
    {
        $account = function_exists('posix_getpwnam') ? posix_getpwnam($user) : false;
        $stat = @stat($this->path);
        if ($account === false || $stat === false) {
            return null;
        }
        $bits = match (true) {
            $account['uid'] === 0 => 7,
            $stat['uid'] === $account['uid'] => $this->mode >> 6,
            $stat['gid'] === $account['gid'] => $this->mode >> 3,
            default => $this->mode,
        };

        return ($bits & 3) === 3;
    }
}

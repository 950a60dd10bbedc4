<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A file system of a few megabytes in memory, which can be filled to the last byte. Only root has one. */
final class SmallDisk
{
    /** The file that takes the space. */
    public const FILLER = 'filler';
    private const MEGABYTES = 64;
    private const PIECE = 65536;

    public readonly string $path;

    private function __construct(private readonly Folder $folder)
    {
        $this->path = self::pathIn($this->folder);
    }

    /** Before its folder is removed. */
    public function __destruct()
    {
        self::command(['umount', '-l', $this->path]);
    }

    /** @return self|string the reason why it cannot be had */
    public static function mount(): self|string
    {
        if (posix_geteuid() !== 0) {
            return 'only root mounts a small disk';
        }
        $folder = new Folder();
        $size = 'mode=0700,size=' . self::MEGABYTES . 'm';
        $message = self::command(['mount', '-t', 'tmpfs', '-o', $size, 'xhprof-small-disk', self::pathIn($folder)]);

        return $message === '' ? new self($folder) : "no small disk can be mounted: $message";
    }

    private static function pathIn(Folder $folder): string
    {
        return "$folder->path/runs";
    }

    /** Takes all space that is left. */
    public function fill(): void
    {
        $file = fopen("$this->path/" . self::FILLER, 'a') ?: throw new \RuntimeException("cannot write to $this->path");
        stream_set_write_buffer($file, 0);
        foreach ([self::PIECE, 4096, 1] as $size) {
            while (@fwrite($file, str_repeat("\0", $size)) === $size);
        }
        fclose($file);
    }

    public function free(): void
    {
        unlink("$this->path/" . self::FILLER);
    }

    public function isFull(): bool
    {
        return disk_free_space($this->path) === 0.0;
    }

    /**
     * @param non-empty-list<string> $command
     * @return string what it has said, "" for success
     */
    private static function command(array $command): string
    {
        $process = @proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
        if ($process === false) {
            return "cannot run $command[0]";
        }
        $message = trim((string) stream_get_contents($pipes[2]));

        return proc_close($process) === 0 ? '' : ($message ?: "$command[0] failed");
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** A file that one process holds at a time, for as long as this object lives. */
final class Lock
{
    /** @param resource $file */
    private function __construct(private $file)
    {
    }

    public function __destruct()
    {
        fclose($this->file);
    }

    /** @return self|null null where another process holds it, or the file cannot be made */
    public static function take(string $path): ?self
    {
        // "e": what this process starts does not inherit it, so a server that stays behind does not hold it.
        $file = fopen($path, 'ce');

        return $file !== false && flock($file, LOCK_EX | LOCK_NB) ? new self($file) : null;
    }
}

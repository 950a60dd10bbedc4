<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** Where a function's code is: a file and its lines, or the extension of an internal function. */
final class CodePlace
{
    /** Before the name of an extension, in the place of a path. */
    /** Before the name of an extension, in the place of a path. */
    public const EXTENSION = 'ext:';

    /**
     * @param string $file     path as PHP knows it, or "ext:NAME"
     * @param int    $line     the first one; 0 where it is not known
     * @param int    $lastLine the same
     */
    public function __construct(public readonly string $file, public readonly int $line = 0, public readonly int $lastLine = 0)
    {
    }

    /** @return string|null name of the extension; null for code in a file */
    public function extension(): ?string
    {
        return str_starts_with($this->file, self::EXTENSION) ? substr($this->file, strlen(self::EXTENSION)) : null;
    }

    /** "/path/file.php:12", "/path/file.php" or "ext:standard". */
    public function text(): string
    {
        return $this->file . ($this->line > 0 ? ":$this->line" : '');
    }
}

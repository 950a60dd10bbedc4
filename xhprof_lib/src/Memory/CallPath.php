<?php

declare(strict_types=1);

namespace XHProf\Memory;

/**
 * A call path from the inside out: the allocating function, its caller, and so on. A function that called itself is
 * one frame.
 */
final class CallPath
{
    /**
     * @param list<array{name: string, recursive: bool}> $frames innermost first
     * @param int $more calls further out that are left out
     */
    public function __construct(public readonly array $frames, public readonly int $more)
    {
    }

    /**
     * @return string the function that allocated
     */
    public function function(): string
    {
        return $this->frames[0]['name'];
    }
}

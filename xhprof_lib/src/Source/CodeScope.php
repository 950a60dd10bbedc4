<?php

declare(strict_types=1);

namespace XHProf\Source;

/**
 * A file, class, function or closure around a token.
 *
 * @internal
 */
final class CodeScope
{
    /** Whether the "{" of its body was read. */
    public bool $isOpen = false;

    /** Closures that are written in it, not in one of these, so far. */
    public int $closures = 0;

    /** Each "?" in the body of an arrow function whose ":" is still to come; null before its "=>", and in others. */
    public ?int $choices = null;

    /**
     * @param 'file'|'class'|'function'|'arrow' $kind
     * @param string $name  of a function, method or closure; of others ''
     * @param string $class that it is or is in, '' for none
     * @param int    $depth brackets around it
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $name,
        public readonly string $class,
        public readonly bool $isTrait,
        public readonly int $depth,
    ) {
    }
}

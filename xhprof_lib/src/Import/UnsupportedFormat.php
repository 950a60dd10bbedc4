<?php

declare(strict_types=1);

namespace XHProf\Import;

/** A file format that cannot be imported. */
final class UnsupportedFormat
{
    /**
     * @param string $expression that the first bytes of the file match
     * @param string $what       it is: "a trace of Chrome"
     * @param string $advice     without a dot
     */
    public function __construct(
        private readonly string $expression,
        public readonly string $what,
        private readonly string $advice,
    ) {
    }

    public function isOf(string $head): bool
    {
        return preg_match($this->expression, $head) === 1;
    }

    /** @return string a sentence without a dot */
    public function refusal(): string
    {
        return "this is $this->what, which cannot be imported: $this->advice";
    }
}

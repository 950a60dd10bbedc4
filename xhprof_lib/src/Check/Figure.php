<?php

declare(strict_types=1);

namespace XHProf\Check;

/** A figure of one run, or why it has none. */
final class Figure
{
    /**
     * @param int|float|null $value  null: not known
     * @param string         $why    it is not known, or what is to be said of it: a sentence without a full stop, printable
     * @param string         $symbol function where most of it is: bytes from outside; '' for none
     * @param list<string>   $path   call path to it, the innermost function first
     * @param string         $what   text of the operation that is most of it
     */
    private function __construct(
        public readonly int|float|null $value,
        public readonly string $why = '',
        public readonly string $symbol = '',
        public readonly array $path = [],
        public readonly string $what = '',
    ) {
    }

    /** @param list<string> $path */
    public static function of(int|float $value, string $symbol = '', array $path = [], string $what = ''): self
    {
        return new self($value, '', $symbol, $path, $what);
    }

    public static function unknown(string $why, string $symbol = ''): self
    {
        return new self(null, $why, $symbol);
    }

    public function with(string $why): self
    {
        return new self($this->value, $why, $this->symbol, $this->path, $this->what);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Export\Utf8Names;
use XHProf\File\Sink;

/** JSON of nested objects, on one line or indented. Writes commas where they belong. */
final class JsonWriter
{
    /** Number of open brackets. */
    public int $depth = 0;

    private bool $isFirst = true;

    public function __construct(private readonly Sink $out, private readonly bool $isPretty)
    {
    }

    /** Called before a value that is an element of a list. */
    public function item(): void
    {
        if (!$this->isFirst) {
            $this->out->write(',');
        }
        $this->isFirst = false;
        if ($this->isPretty && $this->depth > 0) {
            $this->newLine();
        }
    }

    public function key(string $key): void
    {
        $this->item();
        $this->out->write(Utf8Names::json($key) . ($this->isPretty ? ': ' : ':'));
    }

    public function open(string $bracket): void
    {
        $this->out->write($bracket);
        $this->depth++;
        $this->isFirst = true;
    }

    public function close(string $bracket): void
    {
        $this->depth--;
        if ($this->isPretty && !$this->isFirst) {
            $this->newLine();
        }
        $this->out->write($bracket);
        $this->isFirst = false;
    }

    public function number(string $key, int $number): void
    {
        $this->key($key);
        $this->out->write((string) $number);
    }

    public function text(string $key, string $text): void
    {
        $this->key($key);
        $this->out->write(Utf8Names::json($text));
    }

    /** @param string $json a value as it is written */
    public function raw(string $key, string $json): void
    {
        $this->key($key);
        $this->out->write($json);
    }

    private function newLine(): void
    {
        $this->out->write("\n" . str_repeat('    ', $this->depth));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Profile\CodePlace;

/**
 * Functions of a pprof file by the numbers of their locations.
 *
 * @internal
 */
final class PprofFrames
{
    /** @var array<int, list<string>> names of each location, the outermost first: calls that were inlined have one */
    private array $names = [];

    private bool $isWhole = true;

    /**
     * @param array<int, list<array{int, int}>>  $locations by number: function and line, the innermost first; -1 and an address
     * @param array<int, array<int, int|string>> $functions fields by number
     * @param list<string>                       $texts
     */
    public function __construct(array $locations, private readonly array $functions, private readonly array $texts)
    {
        foreach ($locations as $id => $lines) {
            $names = [];
            for ($i = count($lines) - 1; $i >= 0; $i--) {
                [$function, $line] = $lines[$i];
                $names[] = $function < 0 ? sprintf('0x%x', $line) : $this->named($function);
            }
            $this->names[$id] = $names;
        }
    }

    /**
     * @param list<int> $stack locations, the innermost first
     *
     * @return list<string> names, the outermost first
     */
    public function path(array $stack): array
    {
        $path = [];
        for ($i = count($stack) - 1; $i >= 0; $i--) {
            $this->isWhole = $this->isWhole && isset($this->names[$stack[$i]]);
            foreach ($this->names[$stack[$i]] ?? [FrameName::NONE] as $name) {
                $path[] = $name;
            }
        }

        return $path;
    }

    /** @return array{list<string>, list<?CodePlace>} names, and where they are */
    public function places(): array
    {
        $names = $places = [];
        foreach ($this->functions as $id => $function) {
            $file = $this->text($function[4] ?? 0);
            $line = (int) ($function[5] ?? 0);
            $names[] = $this->named($id);
            $places[] = $file === '' ? null : new CodePlace($file, $line > 0 && $line < 1 << 31 ? $line : 0);
        }

        return [$names, $places];
    }

    /** Whether all that the samples name was there; known when their paths were asked for. */
    public function isWhole(): bool
    {
        return $this->isWhole;
    }

    private function named(int $function): string
    {
        $fields = $this->functions[$function] ?? [];
        $this->isWhole = $this->isWhole && ($function === 0 || isset($this->functions[$function]));
        $name = $this->text($fields[2] ?? 0);

        return $name === '' ? $this->text($fields[3] ?? 0) : $name;
    }

    private function text(int|string $number): string
    {
        $this->isWhole = $this->isWhole && ($number === 0 || isset($this->texts[$number]));

        return is_int($number) ? $this->texts[$number] ?? '' : '';
    }
}

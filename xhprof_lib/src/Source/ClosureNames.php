<?php

declare(strict_types=1);

namespace XHProf\Source;

use XHProf\Profile\CallTree;

/** Where the closures of a run are written, by the source files that it names, as far as they can be read. */
final class ClosureNames
{
    /** "App\Route::{closure:dir/file.php:12}", and of the second closure on that line "...:12#2}". */
    private const NAME = '/\A(?:(?<scope>[^{}]+)::)?\{closure:(?<file>[^{}]+):(?<line>[0-9]+)(?:#(?<twin>[0-9]+))?\}\z/';

    /** @var array<string, array<int, list<ClosurePosition>>> by path */
    private array $positions = [];

    /** @param float|null $recorded when the run began, seconds since 1970: files that changed since are not asked */
    private function __construct(private readonly SourceFiles $files, private readonly ?float $recorded)
    {
    }

    /**
     * @return array<string, string> name => "App\Route::map{closure#2}", for StableNames::assign(); without the closures whose
     *     source is missing or has changed
     */
    public static function find(CallTree $tree, SourceFiles $files, ?float $recorded): array
    {
        $self = new self($files, $recorded);
        $names = [];
        foreach ($tree->names as $index => $name) {
            $place = str_contains($name, '{closure:') ? $tree->places->at($index) : null;
            if ($place === null || preg_match(self::NAME, $name, $match) !== 1 || $place->line !== (int) $match['line']) {
                continue;
            }
            // Several on one line are numbered as they were first called, which mostly is their order.
            $twin = (int) ($match['twin'] ?? 1);
            $position = ($self->in($place->file)[$place->line] ?? [])[$twin - 1] ?? null;
            if ($position !== null) {
                $names[$name] = $position->name($match['scope'], $match['file']);
            }
        }

        return $names;
    }

    /** @return array<int, list<ClosurePosition>> */
    private function in(string $file): array
    {
        if (!isset($this->positions[$file])) {
            $source = $this->files->read($file);
            $isSame = $source !== null && $this->recorded !== null && $source['mtime'] <= $this->recorded;
            $this->positions[$file] = $isSame ? ClosurePositions::parse(implode("\n", $source['lines'])) : [];
        }

        return $this->positions[$file];
    }
}

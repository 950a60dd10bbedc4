<?php

declare(strict_types=1);

namespace XHProf\Web\Source;

use XHProf\Functions\FunctionPlaces;
use XHProf\Profile\CodePlace;

/**
 * Places of functions as the pages show them: "dir/file.php:12", with the whole path as a title and a link into the editor.
 *
 * @phpstan-type Place array{text: string, title: string, url: ?string}
 */
final class PlaceLinks
{
    public function __construct(private readonly FunctionPlaces $places, private readonly EditorLink $editor)
    {
    }

    /** @return Place|null null where the run has no places at all; an empty text for a function without one */
    public function find(string $function): ?array
    {
        if ($this->places->isEmpty()) {
            return null;
        }
        $place = $this->places->find($function);
        if ($place === null) {
            return ['text' => '', 'title' => '', 'url' => null];
        }

        return ['text' => self::text($place), 'title' => self::title($place), 'url' => $this->editor->url($place)];
    }

    /**
     * Prepares places for scripts, as columns: the texts of the files, and for each function the index of its file and its line.
     *
     * @param list<string> $functions
     *
     * @return array{files: list<array{text: string, title: string, url: ?string}>, file: list<int>, line: list<int>}|null
     *     `url` with %l for the line; -1 is no file. null where the run has no places
     */
    public function columns(array $functions): ?array
    {
        if ($this->places->isEmpty()) {
            return null;
        }
        $files = [];
        $index = [];
        $columns = ['file' => [], 'line' => []];
        foreach ($functions as $function) {
            $place = $this->places->find($function);
            if ($place !== null && !isset($index["\0$place->file"])) {
                $index["\0$place->file"] = count($files);
                $file = new CodePlace($place->file);
                $url = $place->extension() === null ? $this->editor->fileUrl($place->file) : null;
                $files[] = ['text' => self::text($file), 'title' => self::title($file), 'url' => $url];
            }
            $columns['file'][] = $place === null ? -1 : $index["\0$place->file"];
            $columns['line'][] = $place->line ?? 0;
        }

        return ['files' => $files] + $columns;
    }

    private static function text(CodePlace $place): string
    {
        $extension = $place->extension();
        if ($extension !== null) {
            return "ext-$extension";
        }
        $parts = explode('/', $place->text());

        return implode('/', array_slice($parts, -2));
    }

    private static function title(CodePlace $place): string
    {
        $extension = $place->extension();

        return $extension === null ? $place->text() : "A function of the extension $extension";
    }
}

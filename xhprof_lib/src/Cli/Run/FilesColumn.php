<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\Column;
use XHProf\Format\Text;
use XHProf\Functions\FunctionPlaces;
use XHProf\Run\Run;

/** Files and lines of functions, of --files. */
final class FilesColumn
{
    private const LEAST = 20;

    private function __construct(private readonly ?FunctionPlaces $places)
    {
    }

    /**
     * @param bool $isWanted false: nothing is shown
     *
     * @throws CliError if the run does not have them
     */
    public static function of(Run $run, bool $isWanted): self
    {
        if (!$isWanted) {
            return new self(null);
        }
        $places = FunctionPlaces::of($run->tree());

        return $places->isEmpty()
            ? throw new CliError('--files: this run does not say where its functions are; one run of xhprof_save() or '
                . '`xhprof run` does')
            : new self($places);
    }

    /** @return list<Column> none where they are not wanted */
    public function columns(): array
    {
        return $this->places === null ? [] : [Column::name('file', self::LEAST)];
    }

    /** @return list<string> the function's cell, for columns() */
    public function cells(string $function): array
    {
        return $this->places === null ? [] : [Text::printable($this->places->find($function)?->text() ?? '')];
    }

    /** @return array{file?: ?string, line?: int, last_line?: int} for --json */
    public function json(string $function): array
    {
        $place = $this->places?->find($function);

        return $this->places === null
            ? []
            : ['file' => $place?->file, 'line' => $place->line ?? 0, 'last_line' => $place->lastLine ?? 0];
    }
}

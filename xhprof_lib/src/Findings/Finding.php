<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Text;
use XHProf\Profile\CodePlace;
use XHProf\Report\Finding as Shown;
use XHProf\Report\Level;

/** Something in a run that is worth a look, with its figure and the reason. */
final class Finding
{
    /**
     * @param string      $rule   Rule::NAME
     * @param string      $figure "1 000 queries, 58.2 % of the time"
     * @param string      $symbol function of the run where it is: bytes from outside, to be made printable
     * @param string      $why    one sentence
     * @param float       $weight the heaviest come first: the share of the run that it takes, as far as that is known, 0 to 2
     * @param string      $view   view of the run's pages that shows it; '' for the function's page
     * @param string      $operation of the view "operations" OperationRow::id() of what it shows; '' for none
     * @param list<string> $path  call path to the function, from the outermost one; [] where it is on several
     * @param string      $most   where the figure is that of a group, the figure of the function, which has the most of it: "6.4 %
     *     of the wall time"; '' where it is the function's own
     * @param FoundCalls|null $calls the calls that it is about; null: all of $symbol
     * @param bool        $isProgram whether the program can be changed for it; false where the machine did it
     * @param string      $brief  the figure in a few words, which name what the figure is of: "150 queries in a loop"; '' where the
     *     figure does
     */
    public function __construct(
        public readonly string $rule,
        public readonly string $figure,
        public readonly string $symbol,
        public readonly string $why,
        public readonly float $weight,
        public readonly string $view = '',
        public readonly string $operation = '',
        public readonly array $path = [],
        public readonly string $most = '',
        public readonly bool $isProgram = true,
        private readonly string $brief = '',
        private readonly ?FoundCalls $calls = null,
    ) {
    }

    /** A few words for lists of runs, printable: "150 queries in a loop". */
    public function brief(): string
    {
        return Text::printable($this->brief === '' ? $this->figure : $this->brief);
    }

    /** @return string a function without its namespace, for a few words; bytes from outside */
    public static function shortName(string $symbol): string
    {
        return (string) preg_replace('/\A(?:[^\\\\{:(]*\\\\)+/', '', $symbol);
    }

    /** A name for addresses: the same for the same finding of another run. */
    public function id(): string
    {
        return $this->rule . '-' . substr(hash('sha256', "$this->symbol\0$this->operation\0" . implode("\0", $this->path)), 0, 8);
    }

    /** The calls that it is about. */
    public function calls(): FoundCalls
    {
        return $this->calls ?? ($this->path === [] ? new FoundCalls([$this->symbol]) : FoundCalls::onPaths([$this->path]));
    }

    /**
     * What reports show of it.
     *
     * @param CodePlace|null $place of its function
     */
    public function shown(?CodePlace $place = null): Shown
    {
        $place = $place?->extension() === null ? $place : null;

        return new Shown(
            $this->isProgram ? Level::Wrong : Level::Note,
            $this->figure,
            symbol: $this->symbol,
            between: $this->most === '' ? '' : "the most, $this->most, in",
            why: $this->why,
            place: (string) $place?->text(),
            facts: [
                'rule' => $this->rule,
                'figure' => $this->figure,
                'function' => $this->symbol,
                'file' => $place?->file,
                'line' => $place === null || $place->line === 0 ? null : $place->line,
                'function_figure' => $this->most === '' ? null : $this->most,
                'why' => $this->why,
            ],
        );
    }
}

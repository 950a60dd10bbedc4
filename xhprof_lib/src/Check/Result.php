<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Format\Text;
use XHProf\Profile\CodePlace;
use XHProf\Run\RunId;

/** What came of one bound, or of one finding, for the runs of one subject. */
final class Result
{
    /**
     * @param string         $subject what was profiled, any UTF-8
     * @param string         $budget  name of the budget, any UTF-8
     * @param string         $figure  FigureName::$text, or the rule of a finding
     * @param string         $value   what it is, for people; '' where nothing is known
     * @param string         $limit   "at most 20"
     * @param string         $before  what it was in the baseline; ''
     * @param string         $note    a sentence without a full stop, printable; ''
     * @param string         $symbol  function where it is: bytes from outside
     * @param list<string>   $path    call path, the innermost function first
     * @param string         $what    text of an operation
     * @param string         $why     of a finding: one sentence
     * @param CodePlace|null $place   of the function
     * @param string         $file    of the limit; '' for none
     * @param list<RunId>    $runs    that were looked at, as far as they have ids
     * @param int|float|null $number  the value for programs
     * @param float          $time    when the first of the runs began, seconds since 1970; 0: not known
     * @param string         $host    where that was, any bytes
     */
    public function __construct(
        public readonly State $state,
        public readonly string $subject,
        public readonly string $budget,
        public readonly string $figure,
        public readonly string $value = '',
        public readonly string $limit = '',
        public readonly string $before = '',
        public readonly string $note = '',
        public readonly string $symbol = '',
        public readonly array $path = [],
        public readonly string $what = '',
        public readonly string $why = '',
        public readonly ?CodePlace $place = null,
        public readonly string $file = '',
        public readonly int $line = 0,
        public readonly array $runs = [],
        public readonly int|float|null $number = null,
        public readonly float $time = 0.0,
        public readonly string $host = '',
    ) {
    }

    /** One line without the subject: "sql: 150, at most 10 (was 1)"; printable. */
    public function text(): string
    {
        $limit = $this->limit === '' ? '' : ($this->value === '' ? ' ' : ', ') . $this->limit;
        $words = match (true) {
            $this->state === State::Unknown => "$this->figure is not known: $this->note",
            $this->state === State::Skipped => "$this->figure: $this->note",
            $this->state === State::Found => "$this->figure: $this->value",
            default => "$this->figure: $this->value$limit"
                . ($this->before === '' ? '' : " ($this->before)") . ($this->note === '' ? '' : "; $this->note"),
        };

        return Text::printable($words);
    }

    /** A name that the same limit of the same subject has in each check. */
    public function fingerprint(): string
    {
        $finding = $this->state === State::Found ? "\0$this->symbol\0$this->what" : "\0$this->limit";

        return hash('sha256', "$this->subject\0$this->budget\0$this->figure$finding");
    }

    /** @return array<string, mixed> for programs */
    public function json(): array
    {
        return [
            'state' => $this->state->value,
            'subject' => $this->subject,
            'budget' => $this->budget,
            'figure' => $this->figure,
            'value' => $this->number,
            'text' => $this->text(),
            'limit' => $this->limit === '' ? null : $this->limit,
            'before' => $this->before === '' ? null : $this->before,
            'function' => $this->symbol === '' ? null : $this->symbol,
            'path' => $this->path,
            'operation' => $this->what === '' ? null : $this->what,
            'why' => $this->why === '' ? null : $this->why,
            'file' => $this->place?->file,
            'line' => $this->place->line ?? 0,
            'limit_file' => $this->file === '' ? null : $this->file,
            'limit_line' => $this->line,
            'runs' => array_map(static fn (RunId $run): string => $run->id, $this->runs),
        ];
    }
}

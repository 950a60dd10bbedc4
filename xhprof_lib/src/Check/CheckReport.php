<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Report\Heading;
use XHProf\Report\Level;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\RunId;

/** What a check has found, for people and for programs. */
final class CheckReport
{
    /** Rows from which on subjects that keep all their limits are only counted: a comment has little room. */
    private const MANY = 40;

    /** Functions of a call path. */
    private const FRAMES = 6;

    /**
     * @param list<Result> $results
     * @param list<string> $notes   sentences
     * @param Addresses    $addresses of the runs and of files
     */
    public function __construct(
        public readonly array $results,
        public readonly array $notes,
        public readonly Addresses $addresses,
    ) {
    }

    /** @return list<Result> */
    public function failures(): array
    {
        return array_values(array_filter($this->results, static fn (Result $result): bool => $result->state->isFailure()));
    }

    public function isPassed(): bool
    {
        return $this->failures() === [];
    }

    /** "3 of 12 limits are exceeded", "12 limits are kept". */
    public function summary(): string
    {
        $held = array_filter($this->results, static fn (Result $result): bool => $result->state !== State::Skipped);
        $failed = count($this->failures());
        $all = count($held);

        return match (true) {
            $all === 0 => 'nothing was checked',
            $failed === 0 => $all === 1 ? '1 limit is kept' : Units::count($all) . ' limits are kept',
            default => Units::count($failed) . ' of ' . Units::counted($all, 'limit')
                . ($failed === 1 ? ' is' : ' are') . ' not kept',
        };
    }

    public function report(): Report
    {
        $findings = array_map($this->failure(...), $this->failures());

        return new Report(
            $this->tables(),
            [...$this->left(), ...$this->notes],
            [
                'passed' => $this->isPassed(),
                'summary' => $this->summary(),
                'results' => array_map(static fn (Result $result): array => $result->json(), $this->results),
                'notes' => $this->notes,
            ],
            [new Heading('XHProf check: ' . $this->summary())],
            rowsInJson: false,
            findings: $findings === [] ? [] : [new FindingList($findings, title: 'What to look at', lead: ['What to look at'])],
        );
    }

    /** @return list<Table> one per subject */
    private function tables(): array
    {
        $rows = [];
        foreach ($this->results as $result) {
            $rows[$result->subject][] = [
                'state' => $result->state->value,
                'figure' => $result->figure,
                'value' => $result->state === State::Unknown ? 'not known' : ($result->value === '' ? '-' : $result->value),
                'limit' => $result->limit === '' ? '-' : $result->limit,
                'note' => implode('; ', array_filter([$result->before, $result->state === State::Unknown ? '' : $result->note])),
            ];
        }
        $tables = [];
        foreach ($this->shown($rows) as $subject => $lines) {
            $head = Text::printable((string) $subject);
            $tables[] = new Table('', [
                new Column('state', Unit::Text, 'state'),
                new Column('figure', Unit::Symbol, 'limit of'),
                new Column('value', Unit::Text, 'is'),
                new Column('limit', Unit::Text, 'allowed'),
                new Column('note', Unit::Text, 'note', 1),
            ], $lines, '', $head, printed: ['state', 'figure', 'value', 'limit'], lead: $head, advice: static fn (array $row): array
                => $row['note'] === '' ? [] : ["    {$row['note']}"]);
        }

        return $tables;
    }

    /**
     * @param array<string, list<array<string, string>>> $rows by subject
     *
     * @return array<string, list<array<string, string>>>
     */
    private function shown(array $rows): array
    {
        $isWhole = array_sum(array_map(count(...), $rows)) <= self::MANY;

        return $isWhole ? $rows : array_filter($rows, static fn (array $lines): bool
            => array_filter($lines, static fn (array $line): bool => $line['state'] !== State::Passed->value) !== []);
    }

    /** @return list<string> a sentence on the subjects that are not shown */
    private function left(): array
    {
        $rows = [];
        foreach ($this->results as $result) {
            $rows[$result->subject][] = ['state' => $result->state->value];
        }
        $left = count($rows) - count($this->shown($rows));

        return $left === 0 ? [] : [Units::counted($left, 'other') . ($left === 1 ? ' keeps' : ' keep') . ' all limits.'];
    }

    private function failure(Result $result): Finding
    {
        $subject = Text::printable($result->subject);

        return new Finding(
            Level::Wrong,
            "$subject: {$result->text()}",
            symbol: $result->symbol,
            why: implode("\n", $this->details($result)),
        );
    }

    /** @return non-empty-list<string> sentences about a failure, printable */
    public function details(Result $result): array
    {
        $path = array_slice($result->path, 0, self::FRAMES);
        $more = count($result->path) - count($path);
        $place = $result->place === null ? '' : $this->addresses->file($result->place->file)
            . ($result->place->line > 0 ? ":{$result->place->line}" : '');
        $texts = array_filter([
            $result->why,
            $result->what === '' ? '' : "Operation: $result->what.",
            $path === [] ? '' : 'Path: ' . implode(' ← ', $path) . ($more > 0 ? " ← $more more" : '') . '.',
            $place === '' ? '' : "Code: $place.",
            $result->file === '' ? '' : "Limit: {$this->addresses->file($result->file)}:$result->line.",
            $result->runs === [] ? '' : $this->see($result, $result->runs[0]),
        ], static fn (string $text): bool => $text !== '');

        return array_map(Text::printable(...), array_values($texts)) ?: ['There is no run to see.'];
    }

    private function see(Result $result, RunId $run): string
    {
        $view = match (true) {
            $result->what !== '' => 'operations',
            $result->state === State::Found => 'report --findings',
            default => 'report',
        };

        return "Run: {$this->addresses->run($run, $view)}.";
    }
}

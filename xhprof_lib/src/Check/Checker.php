<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Exception\InvalidCheck;
use XHProf\Format\ClosestWord;
use XHProf\Format\Text;

/**
 * Holds runs against budgets and against a baseline. Each run is opened once, one after the other.
 *
 * @phpstan-type Runs non-empty-list<Observation>
 */
final class Checker
{
    /** Figures that a baseline always has, beside those that budgets name; others vary with the machine. */
    private const ALWAYS = [
        FigureName::CALLS, FigureName::OPERATIONS, FigureName::FILES, FigureName::EXCEPTIONS, 'sql', 'http', 'cache',
    ];

    /** @var array<string, list<Observation>> per subject, as they were asked for */
    private array $observed = [];

    /** @var array<string, FigureName> by text */
    private array $wanted = [];

    private bool $withFindings = false;

    /**
     * @param array<string, Subject> $subjects by name
     * @param list<Budget>  $budgets
     * @param Baseline|null $baseline null: there is none
     * @param bool          $isPartial whether budgets, and subjects of the baseline, may lack runs
     */
    public function __construct(
        private readonly array $subjects,
        private readonly array $budgets,
        private readonly ?Baseline $baseline,
        private readonly bool $isPartial = false,
    ) {
        foreach ($budgets as $budget) {
            $this->withFindings = $this->withFindings || $budget->findings !== null;
            foreach ($budget->limits as $limit) {
                $this->want($limit->figure);
            }
        }
    }

    /** @return list<string> figures of the present baseline, of any subject */
    private function kept(): array
    {
        $all = array_map(static fn (BaselineSubject $subject): array => $subject->figures, $this->baseline->subjects ?? []);

        return array_map(strval(...), array_keys(array_merge([], ...array_values($all))));
    }

    private function want(FigureName|string $name): void
    {
        if ($name instanceof FigureName) {
            $this->wanted[$name->text] = $name;
        }
    }

    /**
     * @return list<Result> by budget, then by subject
     *
     * @throws InvalidCheck for a budget, or a subject of the baseline, that no run is of
     */
    public function check(): array
    {
        $chosen = array_map($this->chosen(...), $this->budgets);
        $results = $this->unmatchedOfBaseline();
        foreach ($this->budgets as $number => $budget) {
            if ($this->baseline === null && $budget->needsBaseline()) {
                $place = $budget->file === '' ? '' : Text::printable($budget->file) . ":$budget->line: ";
                throw new InvalidCheck("{$place}this budget speaks of a baseline: name it with --baseline=FILE");
            }
            if ($chosen[$number] === []) {
                $results[] = new Result(
                    State::Skipped,
                    $budget->selector->text(),
                    $budget->name(),
                    'budget',
                    note: 'no run is of it',
                    file: $budget->file,
                    line: $budget->line,
                );
            }
            foreach ($chosen[$number] as $name => $runs) {
                $all = $this->observations((string) $name);
                $some = array_map(static fn (int $run): Observation => $all[$run], $runs);
                array_push($results, ...$this->judged($budget, (string) $name, $some));
            }
        }

        return $results;
    }

    /** The baseline that the runs make; with $isPartial subjects of the present one that have no run stay. */
    public function baseline(): Baseline
    {
        // What a baseline has stays in it.
        $growing = array_fill_keys($this->kept(), true);
        foreach ([...self::ALWAYS, ...array_keys($growing)] as $text) {
            $this->want(FigureName::parse((string) $text));
        }
        $this->withFindings = true;
        $this->observed = [];
        foreach ($this->budgets as $budget) {
            foreach ($budget->limits as $limit) {
                $growing += $limit->needsBaseline() ? [$limit->figure->text => true] : [];
            }
        }
        $isKept = static fn (FigureName $name): bool => isset($growing[$name->text])
            || ($name->unit === 'count' && $name->base !== FigureName::FAILED);
        $names = array_filter($this->wanted, $isKept);
        $subjects = $this->isPartial ? $this->baseline->subjects ?? [] : [];
        foreach ($this->subjects as $name => $_) {
            $runs = $this->observations((string) $name);
            if ($runs !== []) {
                $subjects[$name] = BaselineSubject::of($runs, $names, $this->baseline->subjects[$name] ?? null);
            }
        }

        return new Baseline($subjects);
    }

    /** @return list<string> what makes the runs hard to compare with the baseline: sentences, printable */
    public function notes(): array
    {
        $notes = [];
        foreach ($this->observed as $name => $runs) {
            $before = $this->baseline->subjects[$name] ?? null;
            $head = Text::printable((string) $name);
            if ($before === null || $runs === []) {
                continue;
            }
            $php = BaselineSubject::phpOf($runs[0]);
            if ($before->php !== '' && $php !== '' && $before->php !== $php) {
                $notes[] = "The baseline of $head is of PHP $before->php, these runs are of $php:"
                    . " counts of PHP's own functions may differ. Write it again with {$this->baseline?->writes}.";
            }
            $flags = BaselineSubject::flagsOf($runs[0]);
            if ($before->flags !== '' && $flags !== '' && $before->flags !== $flags) {
                $notes[] = "The baseline of $head was recorded with other flags ($before->flags / $flags):"
                    . ' counts and times may differ.';
            }
        }

        return array_map(Text::printable(...), $notes);
    }

    /**
     * @return array<string, list<int>> subject => its runs
     *
     * @throws InvalidCheck
     */
    private function chosen(Budget $budget): array
    {
        $found = array_map(static fn (Subject $subject): array => $subject->chosen($budget->selector), $this->subjects);
        $found = array_filter($found, static fn (array $runs): bool => $runs !== []);
        if ($found !== [] || $budget->isOptional || $this->isPartial) {
            return $found;
        }
        [$key, $text] = $budget->selector->first() ?? ['', ''];
        $known = [];
        foreach ($this->subjects as $subject) {
            array_push($known, ...$subject->values($key));
        }
        $known = array_values(array_unique($known));
        $place = $budget->file === '' ? '' : Text::printable($budget->file) . ":$budget->line: ";
        $names = array_map(Text::printable(...), array_slice($known, 0, 5));
        $more = count($known) > 5 ? ' and ' . (count($known) - 5) . ' more' : '';
        throw new InvalidCheck("{$place}no run has the $key \"" . Text::printable($text) . '"' . (ClosestWord::hint($text, $known)
            ?: ($known === [] ? '' : ', but ' . implode(', ', $names) . $more))
            . ($known === [] ? "; none has a $key" : '') . ' ("optional": true allows that)');
    }

    /**
     * @return list<Result>
     *
     * @throws InvalidCheck
     */
    private function unmatchedOfBaseline(): array
    {
        $results = [];
        foreach (array_diff_key($this->baseline->subjects ?? [], $this->subjects) as $name => $subject) {
            $file = $this->baseline->file ?? '';
            if (!$this->isPartial) {
                $known = array_map(strval(...), array_keys($this->subjects));
                $name = (string) $name;
                throw new InvalidCheck(Text::printable($file) . ":$subject->line: no run is of \"" . Text::printable($name) . '"'
                    . (ClosestWord::hint($name, $known) ?: ';') . ' write the baseline again with --write-baseline,'
                    . ' or check a part of it with --partial');
            }
            $note = 'no run is of it';
            $results[] = new Result(State::Skipped, (string) $name, '', 'baseline', note: $note, file: $file, line: $subject->line);
        }

        return $results;
    }

    /** @return list<Observation> */
    private function observations(string $subject): array
    {
        return $this->observed[$subject] ??= array_map(
            fn (\Closure $open): Observation => Observation::of($open(), $this->wanted, $this->withFindings),
            $this->subjects[$subject]->open,
        );
    }

    /**
     * @param list<Observation> $runs
     *
     * @return list<Result>
     */
    private function judged(Budget $budget, string $subject, array $runs): array
    {
        if ($runs === []) {
            return [];
        }
        $judge = new Judge($budget, $subject, $runs, $this->baseline, $this->baseline->subjects[$subject] ?? null);

        return $judge->results();
    }
}

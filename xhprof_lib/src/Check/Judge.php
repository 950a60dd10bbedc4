<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Compare\Judgement;
use XHProf\Compare\Noise;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Profile\CodePlace;
use XHProf\Run\RunId;

/**
 * Judges the runs of one subject by one budget. Counts must keep to a limit in each run. Times are judged by their mean: over a
 * limit only if that is more than chance, as far as there are several runs. Growth is judged as `diff --fail-over` does.
 */
final class Judge
{
    /** @param non-empty-list<Observation> $runs */
    public function __construct(
        private readonly Budget $budget,
        private readonly string $subject,
        private readonly array $runs,
        private readonly ?Baseline $baseline,
        private readonly ?BaselineSubject $before,
    ) {
    }

    /** @return list<Result> */
    public function results(): array
    {
        $results = [];
        foreach ($this->budget->limits as $limit) {
            $judge = $this->of($limit->figure->isOfWindows());
            foreach ($limit->bounds as $bound) {
                $results[] = $judge->ofBound($limit->figure, $bound);
            }
        }
        $findings = $this->budget->findings;

        return [...$results, ...($findings === null ? [] : $this->of(false)->ofFindings($findings))];
    }

    /** The same for the windows among the runs, or for the others; where there are none of them, for all. */
    private function of(bool $isOfWindows): self
    {
        $runs = Observation::ofKind($this->runs, $isOfWindows);

        return new self($this->budget, $this->subject, $runs, $this->baseline, $this->before);
    }

    private function ofBound(FigureName $name, Bound $bound): Result
    {
        $values = [];
        $most = $this->runs[0]->figures[$name->text];
        foreach ($this->runs as $run) {
            $figure = $run->figures[$name->text];
            if ($figure->value === null) {
                // Nobody has asked for what neither of both has.
                if ($bound->file === '' && $this->before !== null && !isset($this->before->figures[$name->text])) {
                    return $this->result(State::Skipped, $name->text, '', 0, ['note' => $figure->why]);
                }

                return $this->unknown($name, $bound, $figure->why . $this->onlyIn($run, $name), $figure);
            }
            $values[] = $figure->value;
            $most = $figure->value > $most->value ? $figure : $most;
        }
        $spread = Spread::of($values);
        if (!$bound->isGrowth) {
            return $this->ofLimit($name, $bound, $values, $spread, $most);
        }
        $before = $this->before?->figures[$name->text] ?? null;
        if ($before === null) {
            $what = $this->before === null ? "\"$this->subject\"" : "\"$name->text\" of \"$this->subject\"";
            $file = $this->baseline->file ?? '';

            $why = Text::printable("the baseline $file has no $what; {$this->baseline?->writes} adds it");

            return $this->unknown($name, $bound, $why, $most);
        }

        return $this->ofGrowth($name, $bound, $before, $spread, $most);
    }

    /** @param non-empty-list<int|float> $values */
    private function ofLimit(FigureName $name, Bound $bound, array $values, Spread $spread, Figure $figure): Result
    {
        $count = count($values);
        if (!$name->isTime()) {
            $isOver = max($values) > $bound->amount;
            $range = "from {$name->show(min($values))} to {$name->show(max($values))} in $count runs";
            $note = min($values) == max($values) ? $figure->why : $range;
            // A function that is not called has no figure: only what must not be called may be missing.
            if ($figure->why !== '' && $bound->amount > 0) {
                return $this->unknown($name, $bound, $figure->why, $figure);
            }

            return $this->made($isOver, $name, $bound, max($values), '', $note, $figure);
        }
        $chance = $spread->chanceOver($bound->amount);
        $judgement = Judgement::of($spread->mean, $bound->amount, $chance);

        return $this->made($judgement->isOver(), $name, $bound, $spread->mean, '', $this->tested($judgement, $chance), $figure);
    }

    private function ofGrowth(FigureName $name, Bound $bound, Spread $before, Spread $now, Figure $figure): Result
    {
        $growth = $bound->isShare ? Judgement::share($before->mean, $now->mean) : $now->mean - $before->mean;
        $chance = $before->chance($now);
        $judgement = Judgement::of($growth, $bound->amount, $chance);
        $change = Units::growth($before->mean, $now->mean);
        $was = 'was ' . $name->show($before->mean) . ($change === '' ? '' : ", $change");
        $note = $name->isTime() || $chance !== null ? $this->tested($judgement, $chance) : '';

        return $this->made($judgement->isOver(), $name, $bound, $now->mean, $was, $note, $figure);
    }

    private function tested(Judgement $judgement, ?float $chance): string
    {
        $count = count($this->runs);

        return match (true) {
            $count === 1 => 'one measurement',
            $chance === null => "mean of $count runs",
            default => "mean of $count runs" . ($judgement === Judgement::Within ? '' : ', p = ' . Noise::probability($chance))
                . ($judgement === Judgement::MaybeChance ? ': that may be chance' : ''),
        };
    }

    private function made(
        bool $isOver,
        FigureName $name,
        Bound $bound,
        int|float $value,
        string $before,
        string $note,
        Figure $figure,
    ): Result {
        $part = $this->part();
        if (!$isOver && $part !== '') {
            return $this->unknown($name, $bound, "$part; the whole would have more", $figure);
        }

        return $this->result($isOver ? State::Over : State::Passed, $name->text, $bound->file, $bound->line, [
            'value' => $name->show($value),
            'limit' => $bound->words($name),
            'before' => $before,
            'note' => $note,
            'number' => $value,
        ], $figure);
    }

    private function unknown(FigureName $name, Bound $bound, string $why, Figure $figure): Result
    {
        return $this->result(State::Unknown, $name->text, $bound->file, $bound->line, [
            'limit' => $bound->words($name), 'note' => $why,
        ], $figure);
    }

    /** @return string why the runs are not whole; '' if they are */
    private function part(): string
    {
        foreach ($this->runs as $run) {
            if ($run->missing !== '') {
                return "the run is a part, $run->missing" . $this->inRun($run);
            }
        }

        return '';
    }

    /** Names the run where the others have the figure. */
    private function onlyIn(Observation $run, FigureName $name): string
    {
        $known = array_filter($this->runs, static fn (Observation $one): bool => $one->figures[$name->text]->value !== null);

        return $known === [] ? '' : " ($run->name)";
    }

    private function inRun(Observation $run): string
    {
        return count($this->runs) === 1 ? '' : " ($run->name)";
    }

    /** @return list<Result> */
    private function ofFindings(FindingsAllowed $allowed): array
    {
        $all = [];
        foreach ($this->runs as $run) {
            if (is_string($run->findings)) {
                $note = $run->findings . $this->inRun($run);

                return [$this->result(State::Unknown, 'findings', $allowed->file, $allowed->line, ['note' => $note])];
            }
            $met = [];
            foreach ($run->findings as [$known, $finding, $path]) {
                $met[$known->key()][] = [$known, $finding, $run, $path];
            }
            foreach ($met as $key => $found) {
                $all[$key][] = $found;
            }
        }
        $results = [];
        foreach ($all as $key => $perRun) {
            $rule = $perRun[0][0][0]->rule;
            $word = $allowed->of($rule);
            if ($word === FindingsAllowed::ANY || !$this->isCounted($rule, $word, count($perRun))) {
                continue;
            }
            $before = $word === FindingsAllowed::NONE_NEW ? $this->before?->findings[$key][1] ?? 0 : 0;
            foreach (array_slice($perRun[0], $before) as [$known, $finding, $run, $path]) {
                $figure = Figure::of(0, $finding->symbol, $path, $known->what);
                $place = $run->places[$finding->symbol] ?? null;
                $isNew = $word === FindingsAllowed::NONE_NEW;
                $results[] = $this->found($allowed, $finding, $figure, $place, $isNew, count($perRun));
            }
        }
        if ($results !== []) {
            return $results;
        }
        $part = $this->part();
        $detail = ['value' => $allowed->needsBaseline() ? 'none that is new' : 'none', 'number' => 0];

        return [$part === ''
            ? $this->result(State::Passed, 'findings', $allowed->file, $allowed->line, $detail)
            : $this->result(State::Unknown, 'findings', $allowed->file, $allowed->line, ['note' => $part])];
    }

    /** Whether a finding that so many of the runs have counts. Where times decide on it, it may be chance. */
    private function isCounted(string $rule, string $word, int $count): bool
    {
        $all = count($this->runs);
        $isKnown = $all >= BaselineSubject::SEVERAL && ($this->before->runs ?? 0) >= BaselineSubject::SEVERAL;

        return $word === FindingsAllowed::NONE_NEW && Findings::varies($rule)
            ? $isKnown && $count === $all
            : 2 * $count >= $all;
    }

    private function found(
        FindingsAllowed $allowed,
        Finding $finding,
        Figure $figure,
        ?CodePlace $place,
        bool $isNew,
        int $count,
    ): Result {
        $many = count($this->runs) === 1 ? '' : "in $count of " . count($this->runs) . ' runs';

        return $this->result(State::Found, $finding->rule, $allowed->file, $allowed->line, [
            'value' => $finding->figure,
            'limit' => $isNew ? 'new' : '',
            'note' => $many,
            'why' => $finding->why,
            'place' => $place,
        ], $figure);
    }

    /** @param array<string, mixed> $detail parameters of Result */
    private function result(State $state, string $figure, string $file, int $line, array $detail, ?Figure $at = null): Result
    {
        $symbol = $at->symbol ?? '';
        $places = array_filter(array_map(static fn (Observation $run) => $run->places[$symbol] ?? null, $this->runs));
        $runs = array_map(static fn (Observation $run): ?RunId => $run->id, $this->runs);

        return new Result(...$detail + [
            'state' => $state,
            'subject' => $this->subject,
            'budget' => Text::utf8($this->budget->name()),
            'figure' => $figure,
            'symbol' => $symbol,
            'path' => $at->path ?? [],
            'what' => $at->what ?? '',
            'place' => array_values($places)[0] ?? null,
            'file' => $file,
            'line' => $line,
            'runs' => array_values(array_filter($runs)),
            'time' => $this->runs[0]->meta->ts ?? 0.0,
            'host' => $this->runs[0]->meta->origin->host ?? '',
        ]);
    }
}

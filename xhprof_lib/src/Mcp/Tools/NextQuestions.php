<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Findings\DeepRecursion;
use XHProf\Findings\DominantFunction;
use XHProf\Findings\Finding;
use XHProf\Findings\GarbageCollection;
use XHProf\Findings\KeptMemory;
use XHProf\Findings\LoadingCode;
use XHProf\Findings\NotRunning;
use XHProf\Findings\RepeatedOperations;
use XHProf\Findings\SlowOperation;
use XHProf\Findings\ThrownOften;
use XHProf\Findings\Waiting;
use XHProf\Memory\MarkRange;
use XHProf\Run\Run;

/** The most useful question after the findings of a run: for each rule the one that leads to the place in the code. */
final class NextQuestions
{
    /** @var array<string, true> calls that are there already */
    private array $known = [];

    public function __construct(private readonly Run $run, private readonly Words $words)
    {
    }

    /**
     * @param list<Finding> $findings
     *
     * @return list<Call>
     */
    public function after(array $findings): array
    {
        $calls = [];
        foreach ($findings as $finding) {
            $call = $this->one($finding);
            $key = "$call->tool " . Call::json($call->arguments);
            if (!isset($this->known[$key])) {
                $this->known[$key] = true;
                $calls[] = $call;
            }
        }

        // What keeps memory is not seen in times.
        $asked = array_column($calls, 'tool');
        if ($this->run->has(Run::MEMORY) && array_intersect(['memory', 'leaks'], $asked) === []) {
            array_splice($calls, 1, 0, [$this->memory()]);
        }

        return $calls === []
            ? [new Call('top', $this->arguments(), 'nothing stands out: the functions with the most time of their own')]
            : $calls;
    }

    private function one(Finding $finding): Call
    {
        $function = $this->arguments(['function' => $this->words->name($finding->symbol)]);
        $byName = new Call('callers_callees', $function, 'who calls it, what it calls, and where its code is');
        $repeated = ['callers' => true, 'limit' => 5];

        return match ($finding->rule) {
            RepeatedOperations::NAME => new Call(
                'operations',
                $this->arguments($repeated),
                'which text is repeated, in the loop of which function',
            ),
            SlowOperation::NAME, Waiting::NAME => $this->run->has(Run::OPERATIONS)
                ? new Call('operations', $this->arguments($repeated), 'what it waited for, and who asked for it')
                : $byName,
            KeptMemory::NAME => $this->memory(),
            LoadingCode::NAME => new Call('top', $this->arguments(['query' => 'load::', 'sort' => 'excl_wt']), 'which files'),
            GarbageCollection::NAME => $this->run->has(Run::MEMORY) ? $this->memory() : $byName,
            NotRunning::NAME => new Call('path', $this->arguments(), 'the heaviest call paths'),
            DominantFunction::NAME, DeepRecursion::NAME, ThrownOften::NAME => $byName,
            default => $byName,
        };
    }

    private function memory(): Call
    {
        $memory = $this->run->has(Run::MEMORY) ? $this->run->memory() : null;
        $hasMarks = $memory !== null && MarkRange::choose($memory->marks)->intervals() > 1;

        return $hasMarks
            ? new Call('leaks', $this->arguments(), 'which call paths leave memory behind, and in how many of the jobs')
            : new Call('memory', $this->arguments(), 'which call paths hold it');
    }

    /**
     * @param array<string, mixed> $more
     *
     * @return array<string, mixed>
     */
    private function arguments(array $more = []): array
    {
        return ['run' => Desk::idOf($this->run)] + $more;
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Testing;

use XHProf\Check\Figure;
use XHProf\Check\FigureName;
use XHProf\Check\Measured;
use XHProf\Check\MeasuredRun;
use XHProf\Findings\LoadingCode;
use XHProf\Profile\CodePlace;
use XHProf\Run\Run;

/**
 * The run of a piece of code in a test. Its calls are those that the code made: without the code itself, what stands around it, and
 * the loading of classes, which depends on the tests before it.
 */
final class CodeRun implements Measured
{
    private readonly MeasuredRun $measured;

    /** @param list<string> $loaders functions that load classes, beside Composer's */
    public function __construct(Run $run, string $subject, private readonly array $loaders)
    {
        $this->measured = new MeasuredRun($run, $subject);
    }

    public function run(): Run
    {
        return $this->measured->run();
    }

    public function subject(): string
    {
        return $this->measured->subject();
    }

    public function findings(): array
    {
        return $this->measured->findings();
    }

    public function place(string $function): ?CodePlace
    {
        return $this->measured->place($function);
    }

    public function missing(): string
    {
        return $this->measured->missing();
    }

    public function figure(FigureName $name): Figure
    {
        if ($name->base !== FigureName::CALLS) {
            return $this->measured->figure($name);
        }
        $figure = $name->functions === null ? $this->calls() : $this->measured->figure($name);

        // At most so many are none, too; a name that is misspelt has no figure.
        return $figure->value === 0 && $figure->why !== '' ? Figure::of(0) : $figure;
    }

    private function calls(): Figure
    {
        $tree = $this->run()->tree();
        if ($tree === null) {
            return Figure::unknown('the run has no call tree');
        }
        $sum = 0;
        $by = [];
        // Node 0 is main(), which calls the code and xhprof_disable().
        for ($node = 1; $node < $tree->count(); $node++) {
            $name = $tree->names[$tree->fn[$node]];
            if (LoadingCode::isLoading($name) || in_array($name, $this->loaders, true)) {
                $node = $tree->end($node) - 1;
            } elseif ($tree->depth[$node] > 1) {
                $sum += $tree->ct[$node];
                $by[$name] = ($by[$name] ?? 0) + $tree->ct[$node];
            }
        }
        arsort($by);

        return Figure::of($sum, (string) array_key_first($by));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlace;
use XHProf\Profile\Metrics;

/**
 * The call paths of a file of Xdebug. It writes each call when that ends, so the calls within it stand right before
 * it: each takes as many finished ones as its number of calls. If the numbers do not match there is no tree.
 *
 * @internal
 */
final class FinishedCalls
{
    private const MAX_NODES = 2000000;
    private const MAX_DEPTH = 20000;

    /** @var list<FinishedCall> that no caller has taken yet */
    private array $finished = [];

    /** @var array<string, CodePlace> by function, marked by a NUL before it */
    private array $places = [];

    private bool $isSound = true;

    private int $count = 0;

    /**
     * @param list<array{string, int}|null> $metrics metric and divisor of its costs, per event
     */
    public function __construct(private readonly array $metrics)
    {
    }

    /**
     * @param string          $name   as it is to be shown
     * @param array<int, int> $costs  its own, per event
     * @param list<array{name: string, calls: int, costs: array<int, int>}> $called in order, with their inclusive costs
     */
    public function add(string $name, array $costs, array $called): void
    {
        if (!$this->isSound) {
            return;
        }
        $call = new FinishedCall($name, $costs, array_column($called, 'costs'));
        $made = $called === [] ? [] : array_splice($this->finished, -count($called));
        foreach ($called as $i => $one) {
            if ($one['calls'] !== 1 || ($made[$i]->name ?? null) !== $one['name']) {
                $this->giveUp();

                return;
            }
            foreach ($this->metrics as $event => $metric) {
                if ($metric !== null && Metrics::isSigned($metric[0])) {
                    // Memory freed by a function is 0 in its own line, but not in its caller's.
                    $made[$i]->costs[$event] = ($one['costs'][$event] ?? 0) - ($made[$i]->passed[$event] ?? 0);
                }
            }
            $call->take($made[$i]);
        }
        $this->finished[] = $call;
        if (++$this->count > self::MAX_NODES || $call->height > self::MAX_DEPTH) {
            $this->giveUp();
        }
    }

    /** Notes where a function's code is; the first place counts. */
    public function place(string $name, string $file, int $line): void
    {
        if ($this->isSound) {
            $this->places["\0$name"] ??= new CodePlace($file, max(0, $line));
        }
    }

    /**
     * @return CallTree|null null if the file does not list finished calls
     *
     * @throws InvalidProfile if the figures are too large
     */
    public function tree(): ?CallTree
    {
        if (!$this->isSound || $this->finished === []) {
            return null;
        }
        $tree = new PathTree();
        $names = array_map(static fn (int|string $key): string => substr((string) $key, 1), array_keys($this->places));
        $tree->places($names, array_values($this->places));
        $open = [];
        foreach (array_reverse($this->finished) as $call) {
            // Shutdown functions stand beside main(): they are put below it.
            $open[] = [PathTree::ROOT, $call];
        }
        while (($next = array_pop($open)) !== null) {
            [$caller, $call] = $next;
            $node = $caller === PathTree::ROOT ? $tree->path([$call->name]) : $tree->below($caller, $call->name);
            $tree->addCalls($node, $call->calls);
            foreach ($this->metrics as $event => $metric) {
                if ($metric !== null) {
                    $factor = Metrics::isTime($metric[0]) ? 1000 / $metric[1] : 1 / $metric[1];
                    $tree->add($metric[0], $node, ($call->costs[$event] ?? 0) * $factor);
                }
            }
            foreach (array_reverse($call->below) as $callee) {
                $open[] = [$node, $callee];
            }
        }

        return $tree->tree();
    }

    private function giveUp(): void
    {
        $this->isSound = false;
        $this->finished = [];
        $this->places = [];
    }
}

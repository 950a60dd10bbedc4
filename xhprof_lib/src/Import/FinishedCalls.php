<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlace;
use XHProf\Profile\Metrics;

/**
 * The call paths of a file that has each call when it ends, so that the calls within it stand right before it: each takes as many
 * finished ones as it has calls. Xdebug writes every call, memprof all calls of a path as one. If the numbers do not match there
 * is no tree.
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

    private ?string $why = null;

    private int $count = 0;

    /**
     * @param list<array{string, int}|null> $metrics metric and divisor of its costs, per event
     * @param bool                          $isEach  whether every call stands there by itself
     */
    public function __construct(private readonly array $metrics, private readonly bool $isEach)
    {
    }

    /**
     * @param string          $name   as it is to be shown
     * @param array<int, int> $costs  its own, per event
     * @param list<array{name: string, calls: int, costs: array<int, int>}> $called in order, with their inclusive costs
     */
    public function add(string $name, array $costs, array $called): void
    {
        if ($this->why !== null) {
            return;
        }
        $call = new FinishedCall($name, $costs, array_column($called, 'costs'));
        $made = [];
        for ($i = count($called); $i > 0 && $this->finished !== []; $i--) {
            $made[] = array_pop($this->finished);
        }
        foreach ($called as $i => $one) {
            $callee = $made[count($called) - 1 - $i] ?? null;
            if ($callee === null || $callee->name !== $one['name'] || ($this->isEach && $one['calls'] !== 1)) {
                $this->giveUp('its calls do not stand in the order in which they ended');

                return;
            }
            $callee->calls = $one['calls'];
            foreach ($this->metrics as $event => $metric) {
                if ($metric !== null && Metrics::isSigned($metric[0])) {
                    // Memory freed by a function is 0 in its own line, but not in its caller's.
                    $callee->costs[$event] = ($one['costs'][$event] ?? 0) - ($callee->passed[$event] ?? 0);
                }
            }
            $this->count -= $call->take($callee);
        }
        $this->finished[] = $call;
        if (++$this->count > self::MAX_NODES) {
            $this->giveUp('it has more than ' . self::MAX_NODES . ' call paths');
        } elseif ($call->height > self::MAX_DEPTH) {
            $this->giveUp('it is deeper than ' . self::MAX_DEPTH . ' calls');
        }
    }

    /** @return list<string> why there is no tree, as a sentence without a dot */
    public function notes(): array
    {
        return $this->why === null ? [] : ["the file gives no call paths: $this->why"];
    }

    /** Notes where a function's code is; the first place counts. */
    public function place(string $name, string $file, int $line): void
    {
        if ($this->why === null) {
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
        if ($this->why !== null || $this->finished === []) {
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

    private function giveUp(string $why): void
    {
        $this->why = $why;
        $this->finished = [];
        $this->places = [];
    }
}

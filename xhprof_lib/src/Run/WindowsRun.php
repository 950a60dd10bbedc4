<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeMean;

/**
 * The sum of several windows: all requests of a range of time, or those of one route. Its id names the range, and no file has it:
 * see Store\WindowRange. Windows are opened one after the other when the call paths are asked for.
 */
final class WindowsRun extends Run
{
    /**
     * @param non-empty-list<\Closure(): Run> $open    each opens a window
     * @param string|null                     $route   the only one that counts; null for all
     * @param string                          $version changes when one of the windows does
     */
    public function __construct(
        RunId $id,
        public readonly array $open,
        private readonly RunMeta $metadata,
        private readonly ?string $route,
        private readonly string $version,
    ) {
        parent::__construct($id, sprintf('sum of %d windows', count($open)));
    }

    public function has(string $part): bool
    {
        return $part === self::TREE && $this->once('has', fn (): bool => $this->open[0]()->has(self::TREE));
    }

    public function treeHead(): ?TreeHead
    {
        $tree = $this->has(self::TREE) ? $this->tree() : null;

        return $tree === null ? null : TreeHead::fromArray($tree->toArray());
    }

    public function version(): string
    {
        return $this->version;
    }

    protected function readMeta(): RunMeta
    {
        return $this->metadata;
    }

    protected function readTree(): CallTree
    {
        $trees = [];
        foreach ($this->open as $open) {
            $trees[] = function () use ($open): CallTree {
                $run = $open();
                $none = ['names' => ['main()'], 'fn' => [0], 'depth' => [0], 'ct' => [0]];
                $tree = $run->tree() ?? CallTree::fromArray($none, false);

                return $this->route === null ? $tree : self::ofRoute($tree, $this->route);
            };
        }

        return TreeMean::sum($trees);
    }

    protected function readProfile(): Profile
    {
        $tree = $this->tree() ?? throw new \LogicException('a sum of windows without a call tree');

        return $tree->toProfile()->sampled($this->metadata->recording->sampleCount());
    }

    private static function ofRoute(CallTree $tree, string $route): CallTree
    {
        $kept = [0];
        for ($node = 1; $node < $tree->count(); $node = $end) {
            $end = $tree->end($node);
            if ($tree->names[$tree->fn[$node]] === $route) {
                array_push($kept, ...range($node, $end - 1));
            }
        }

        return $tree->part($kept, false);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Web\Heap;

use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Web\Http\Url;

/** Addresses of the pages of one snapshot. */
final class HeapUrl
{
    public function __construct(public readonly string $snapshot)
    {
    }

    public static function list(int $page = 1): string
    {
        return Url::index(['view' => 'heap', 'page' => $page > 1 ? $page : null]);
    }

    public static function diff(string $before, string $after): string
    {
        return Url::index(['view' => 'heap', 'heap1' => $before, 'heap2' => $after]);
    }

    /** @return array<string, string> the parameters of all its pages */
    public function parameters(): array
    {
        return ['view' => 'heap', 'heap' => $this->snapshot];
    }

    /** @param array<string, string|int|bool|null> $parameters */
    public function page(array $parameters = []): string
    {
        return Url::index($this->parameters() + $parameters);
    }

    public function node(HeapNode $node): string
    {
        return $this->page(['node' => $node->hex()]);
    }

    public function tree(HeapNode $node): string
    {
        return $this->page(['show' => 'tree', 'node' => $node->hex()]);
    }

    public function group(HeapGroup $group): string
    {
        return $this->page(self::groupParameters($group));
    }

    /** The page of all that are alike: objects of the class, or else all of the type. */
    public function alike(HeapNode $node): string
    {
        $isNamed = $node->name !== '';

        return $this->page(match (true) {
            $isNamed && in_array($node->type, HeapIndex::OBJECTS, true) => Url::symbolParameter($node->name, 'class'),
            $isNamed && $node->type === 'native' => Url::symbolParameter($node->name, 'owner'),
            default => ['type' => $node->type],
        });
    }

    /** @return array<string, string> */
    public static function groupParameters(HeapGroup $group): array
    {
        return match (true) {
            $group->name === '' => ['type' => $group->type],
            $group->type === 'native' => Url::symbolParameter($group->name, 'owner'),
            default => Url::symbolParameter($group->name, 'class'),
        };
    }
}

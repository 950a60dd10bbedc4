<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\HeapIndex;
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

    public function node(string $address): string
    {
        return $this->page(['node' => $address]);
    }

    /** The page of all strings with the content of one. */
    public function equal(string $address): string
    {
        return $this->page(['show' => 'strings', 'node' => $address]);
    }

    /** @return array<string, string> parameters that name a class, an owner of native memory, or else a type */
    public static function groupParameters(string $type, string $name): array
    {
        return match (true) {
            $name !== '' && $type === 'native' => Url::symbolParameter($name, 'owner'),
            $name !== '' && in_array($type, HeapIndex::OBJECTS, true) => Url::symbolParameter($name, 'class'),
            default => ['type' => $type],
        };
    }
}

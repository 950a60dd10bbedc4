<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

/** The ways to show a table, as links of which one is the current. */
final class Tabs
{
    /**
     * @param array<string, string> $labels
     * @param callable(string): string $link by the keys of these
     * @return list<array{label: string, url: string, current: bool}>
     */
    public static function links(array $labels, string $current, callable $link): array
    {
        return array_map(static fn (string $key, string $label): array => [
            'label' => $label,
            'url' => $link($key),
            'current' => $key === $current,
        ], array_keys($labels), $labels);
    }
}

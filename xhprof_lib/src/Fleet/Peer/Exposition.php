<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

/** Prometheus' text format. */
final class Exposition
{
    /**
     * @param array<string, string> $labels
     *
     * @return string "name{label="value"}"
     */
    public static function series(string $name, array $labels): string
    {
        ksort($labels);
        $pairs = [];
        foreach ($labels as $label => $value) {
            $pairs[] = "$label=\"" . strtr($value, ['\\' => '\\\\', '"' => '\\"', "\n" => '\\n']) . '"';
        }

        return $name . '{' . implode(',', $pairs) . '}';
    }

    /** Formats a number to a millionth: figures are seconds with microseconds, or counts. */
    public static function number(int|float $value): string
    {
        return is_int($value) ? (string) $value : rtrim(rtrim(sprintf('%.6F', $value), '0'), '.');
    }
}

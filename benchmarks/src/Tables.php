<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** The values as Markdown. */
final class Tables
{
    /**
     * @param list<WorkloadSpec> $workloads
     * @param list<string> $modes
     */
    public function __construct(
        private readonly Results $results,
        private readonly array $workloads,
        private readonly array $modes,
    ) {
    }

    public function state(string $state): string
    {
        $rows = [];
        foreach ($this->modes as $mode) {
            $row = [str_replace('|', '\\|', $mode) . ($this->jitIsOff($state, $mode) ? ' (JIT off)' : '')];
            foreach ($this->workloads as $workload) {
                $row[] = $this->cell($state, $workload, $mode);
            }
            $rows[] = $row;
        }

        return self::table(['', ...array_column($this->workloads, 'name')], $rows);
    }

    public function large(): string
    {
        $rows = [];
        foreach ($this->results->large as $name => $figure) {
            $rows[] = [$name, sprintf('%.1f', $figure->median)];
        }

        return self::table(['large profiles', ''], $rows);
    }

    public function requests(): string
    {
        $rows = [];
        foreach ($this->results->requests as $row => $figure) {
            $rows[] = [$row, sprintf(EmptyRequests::isBase($row) ? '%.1f' : '%+.1f', $figure->median)];
        }

        return self::table(['an empty request, us of CPU', ''], $rows);
    }

    public function servers(): string
    {
        return implode("\n", array_map(self::pages(...), array_chunk($this->results->servers, 2, true)));
    }

    /** @param array<string, array<string, array<string, Figure>>> $pages by mode and figure */
    private static function pages(array $pages): string
    {
        $head = ['nginx and PHP-FPM'];
        $rows = [];
        foreach ($pages as $page => $modes) {
            array_push($head, "$page: requests/s", 'p50', 'p99', 'CPU');
            foreach ($modes as $mode => $figures) {
                $rows[$mode] ??= [$mode];
                foreach (['rate' => '%.0f', 'p50' => '%.1f ms', 'p99' => '%.1f ms', 'cpu' => '%.2f ms'] as $figure => $format) {
                    $rows[$mode][] = $mode === Modes::BARE
                        ? sprintf($format, $figures[$figure]->median)
                        : sprintf('x%.2f', $figures["$figure over bare"]->median);
                }
            }
        }

        return self::table($head, array_values($rows));
    }

    /** @param list<Goal> $goals */
    public static function goals(array $goals): string
    {
        $rows = [];
        foreach ($goals as $goal) {
            $format = "%.{$goal->decimals()}f %s";
            $rows[] = [
                str_replace('|', '\\|', $goal->text),
                '<= ' . sprintf($format, $goal->limit, $goal->unit),
                $goal->measured === null
                    ? '-'
                    : sprintf($format, $goal->measured, $goal->unit) . ($goal->of === '' ? '' : " ($goal->of)"),
                match ($goal->isMet()) {
                    true => 'met',
                    false => 'NOT met',
                    null => 'not measured',
                },
            ];
        }

        return self::table(['goal (opcache off unless said)', 'at most', 'measured', ''], $rows);
    }

    private function cell(string $state, WorkloadSpec $workload, string $mode): string
    {
        if ($mode === Modes::BARE) {
            $figure = $this->results->measured[$state][$workload->name][$mode] ?? null;

            return $figure === null ? '-' : sprintf($workload->isProgram ? '%.1f ms' : '%.1f ns', $figure->median);
        }
        $value = $this->results->over($state, $workload->name, $mode);
        if ($value === null) {
            return isset($this->results->failures["$state, $workload->name, $mode"]) ? 'failed' : '-';
        }

        return sprintf($workload->isProgram ? 'x%.2f' : '%+.1f', $value);
    }

    private function jitIsOff(string $state, string $mode): bool
    {
        return $state === Opcache::JIT && ($this->results->jit[$mode] ?? true) === false;
    }

    /**
     * @param non-empty-list<string> $head
     * @param list<non-empty-list<string>> $rows
     */
    public static function table(array $head, array $rows): string
    {
        $widths = [];
        foreach ([$head, ...$rows] as $row) {
            foreach ($row as $column => $cell) {
                $widths[$column] = max($widths[$column] ?? 3, strlen($cell));
            }
        }
        $rule = '|';
        foreach ($widths as $column => $width) {
            $rule .= $column === 0 ? str_repeat('-', $width + 2) . '|' : str_repeat('-', $width + 1) . ':|';
        }
        $lines = [self::line($head, $widths), $rule];
        foreach ($rows as $row) {
            $lines[] = self::line($row, $widths);
        }

        return implode("\n", $lines) . "\n";
    }

    /**
     * @param list<string> $row
     * @param array<int, int> $widths
     */
    private static function line(array $row, array $widths): string
    {
        $line = '|';
        foreach ($row as $column => $cell) {
            $line .= ' ' . str_pad($cell, $widths[$column], ' ', $column === 0 ? STR_PAD_RIGHT : STR_PAD_LEFT) . ' |';
        }

        return $line;
    }
}

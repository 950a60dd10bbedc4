<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Functions\FunctionLines;
use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\ShownMetric;

/** Time of a function per line of its code, for runs sampled with lines. */
final class SymbolLines
{
    /** Lines shown: those with the most time. */
    private const MAX_LINES = 200;

    /** Functions of PHP's own named per line. */
    private const CALLS = 3;

    public function __construct(private readonly RunOpener $runs, private readonly ShownRun $set, private readonly string $symbol)
    {
    }

    /**
     * @return array<string, mixed>|null null if there are no lines
     */
    public function variables(): ?array
    {
        try {
            $samples = $this->set->run->samplesThatFit();
        } catch (DamagedRun | StoreError $e) {
            return ['error' => 'the lines cannot be read: ' . $this->runs->publicText($e)];
        } catch (RunNotFound) {
            return null;
        }
        $found = $samples === null ? null : FunctionLines::compute($samples, $this->symbol);
        if ($found === null) {
            return null;
        }
        $lines = $found->lines;
        if (count($lines) > self::MAX_LINES) {
            uasort($lines, static fn (array $a, array $b): int => $b['time'] <=> $a['time']);
            $lines = array_slice($lines, 0, self::MAX_LINES, true);
            ksort($lines);
        }

        return ['table' => $this->table($found, $lines), 'unknown' => $found->unknown];
    }

    /**
     * @param array<int, array{own: int, called: int, time: int, ...}> $lines those to show
     *
     * @return array<string, mixed>
     */
    private function table(FunctionLines $found, array $lines): array
    {
        $count = static fn (string $key): \Closure => static fn (array $row): int|string => $row[$key] === 0 ? '' : $row[$key];
        $heaviest = count($found->lines) > count($lines) ? 'the heaviest ' . count($lines) . '; ' : '';
        $table = new Table(
            'lines',
            [
                Column::ofPage('line', Unit::Line, 'Line'),
                ShownMetric::of($found->metric)->column(whole: $found->time()),
                new Column('own', Unit::Count, '', label: 'Self', help: 'Samples in the function itself', value: $count('own')),
                new Column(
                    'called',
                    Unit::Count,
                    '',
                    label: 'Internal',
                    help: 'Samples in internal functions that the line calls',
                    value: $count('called'),
                ),
                Column::ofPage('in', Unit::Text, 'Internal functions'),
            ],
            array_map(static fn (int $line, array $values): array
                => ['line' => (string) $line, $found->metric => $values['time']] + $values, array_keys($lines), $lines),
            '',
            'Lines',
            'Lines of this function, with their samples',
            "{$heaviest}where its samples were taken; shares are of these",
        );

        return (new ReportTable($table, fn (array $row, string $key): array => $key !== 'in' ? [] : [
            'text' => '',
            'template' => 'symbol_calls.html.twig',
            'part' => $this->calls($found->called((int) $row['line'])),
        ], class: 'lines', look: 'own'))->of(count($found->lines), null)->toArray();
    }

    /**
     * @param list<string> $calls
     *
     * @return array{calls: list<array{name: string, url: ?string}>, more: int}
     */
    private function calls(array $calls): array
    {
        return [
            'calls' => array_map(fn (string $name): array => [
                'name' => $name,
                'url' => $this->set->run->profile()->hasSymbol($name)
                    ? Url::index($this->set->parameters() + Url::symbolParameter($name))
                    : null,
            ], array_slice($calls, 0, self::CALLS)),
            'more' => max(0, count($calls) - self::CALLS),
        ];
    }
}

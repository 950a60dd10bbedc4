<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Functions\FunctionLines;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Table\Cells;
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
            return ['error' => 'the lines cannot be read: ' . $this->runs->publicText($e), 'rows' => []];
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
        $metric = ShownMetric::of($found->metric);
        $total = $found->time();
        $rows = [];
        foreach ($lines as $line => $values) {
            $calls = $found->called($line);
            $rows[] = [
                'line' => $line,
                'own' => $values['own'] === 0 ? '' : Units::count($values['own']),
                'called' => $values['called'] === 0 ? '' : Units::count($values['called']),
                'cell' => Cells::value($values['time'], $metric, $total, true),
                'calls' => array_map(fn (string $name): array => [
                    'name' => $name,
                    'url' => $this->set->run->profile()->hasSymbol($name)
                        ? Url::index($this->set->parameters() + Url::symbolParameter($name))
                        : null,
                ], array_slice($calls, 0, self::CALLS)),
                'more' => max(0, count($calls) - self::CALLS),
            ];
        }

        return [
            'error' => null,
            'label' => $metric->label,
            'rows' => $rows,
            'count' => count($found->lines),
            'unknown' => $found->unknown,
        ];
    }
}

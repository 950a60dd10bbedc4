<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\ClickHouse\Names;
use XHProf\Fleet\Question\FunctionFigures;
use XHProf\Fleet\Question\Functions;
use XHProf\Format\Units;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Response;

/**
 * show=functions&symbol=NAME: a function per request, by release, and single requests beside it. Parameters: symbol, its name; or
 * fn, the number that the store has for a name that no address holds.
 */
final class FunctionPage
{
    public function __construct(private readonly Asked $asked)
    {
    }

    public function respond(): Response
    {
        $query = $this->asked->query->needsService();
        $which = $query->selection;
        $fn = $this->fn();
        $functions = new Functions($this->asked->client);
        $figures = $functions->figures($which, $query->clock, [$fn])[0];
        $name = $figures->name;
        $own = $this->asked->request->has('symbol') ? ['symbol' => $name] : ['fn' => (string) $fn];
        $top = $this->asked->top('functions', $name, $name);
        if ($figures->samples() === 0 && $figures->total() === 0) {
            return $this->asked->page($top, [$this->asked->nothing('functions', 'samples of this function')]);
        }

        return $this->asked->page(['sub' => FiguresTable::place($figures->file, $figures->line), 'keep' => $own] + $top, [
            $this->tiles($figures),
            Asked::links([
                'In the flame graph' => $query->url('flame', ['sel' => $name]),
                'Hosts' => $query->url('hosts'),
            ]),
            $this->releases($figures, $functions->requests($which)),
            (new KeptRequestsPage($this->asked))->table('Slowest requests that were kept', 10, $name),
        ]);
    }

    /** @throws HttpError 400 */
    private function fn(): int
    {
        $request = $this->asked->request;
        if ($request->has('symbol')) {
            return Names::fn($request->text('symbol'));
        }
        $fn = filter_var($request->text('fn'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 0]]);

        return is_int($fn) ? $fn : throw new HttpError(400, 'The parameter "fn" must be a whole number.');
    }

    /** @return array<string, mixed> */
    private function tiles(FunctionFigures $figures): array
    {
        $tile = static fn (string $label, ?float $ns, string $about): array => [
            'label' => $label, 'text' => $ns === null ? '-' : Units::us($ns / 1000), 'exact' => $about,
        ];

        return Asked::tiles([
            $tile('Self per request', $figures->selfPerRequest(), 'Own time, divided by all requests'),
            $tile('Total per request', $figures->totalPerRequest(), 'Time with all it called, divided by all requests'),
            ['label' => 'Samples', 'text' => Units::count($figures->samples()), 'exact' => 'in the function itself'],
        ]);
    }

    /** @param array<string, int> $requests per release */
    private function releases(FunctionFigures $figures, array $requests): Table
    {
        $query = $this->asked->query;
        $table = new Table('releases', 'Releases', 'The function in each release', [
            'release' => Table::words('Release'),
            'self' => Table::number('Self', 'Own time per request'),
            'total' => Table::number('Total', 'Time with all it called, per request'),
            'samples' => Table::number('Samples', 'Samples in the function itself', Table::MEDIUM),
            'requests' => Table::number('Requests', 'Requests of the selection', Table::MEDIUM),
        ], '', 'times per request');
        foreach ($figures->releases() as $release) {
            [$self, $total] = [$figures->selfPerRequest($release), $figures->totalPerRequest($release)];
            $table->add([
                Table::name($release, $query->url('flame', ['release' => $release, 'sel' => $figures->name]), '(none)'),
                Table::time($self === null ? null : $self / 1000),
                Table::time($total === null ? null : $total / 1000),
                Table::count($figures->samples($release)),
                Table::count($requests[$release] ?? 0),
            ]);
        }

        return $table;
    }
}

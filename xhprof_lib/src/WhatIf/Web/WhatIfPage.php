<?php

declare(strict_types=1);

namespace XHProf\WhatIf\Web;

use XHProf\Exception\UnknownSymbol;
use XHProf\Format\VisibleName;
use XHProf\Report\Table;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\ReportTable;
use XHProf\WhatIf\RoutesWithout;
use XHProf\WhatIf\RunWithout;
use XHProf\WhatIf\Strike;

/**
 * index.php?run=ID&view=whatif: the totals of a run, and of windows the percentiles of each route, as they would be if something
 * took no time.
 *
 * Parameters: without (functions, or Strike::OPERATION and an id; one a line); with `groups` the names are those of groups.
 */
final class WhatIfPage extends StorePage
{
    /** Names that are struck out at once. */
    private const MOST = 50;

    private const LONGEST = 20000;

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        [$run, $grouping] = [$set->ungrouped()->run, $set->grouping];
        $wanted = array_slice(self::lines($request->text('without')), 0, self::MOST);
        $mistakes = [];
        $known = [];
        foreach ($wanted as $name) {
            try {
                Strike::of($run, [$name], $grouping);
                $known[] = $name;
            } catch (UnknownSymbol $e) {
                $mistakes[] = ucfirst(VisibleName::text($e->getMessage(), 600)) . '.';
            }
        }
        $without = null;
        $strike = Strike::of($run, $known, $grouping);
        try {
            $without = $known === [] ? null : RunWithout::of($run, $strike);
        } catch (UnknownSymbol $e) {
            $mistakes[] = ucfirst($e->getMessage()) . '.';
        }
        $tables = $without === null ? [] : [$without->table(), ...RoutesWithout::tables($run, $strike)];
        $state = $set->parameters() + ['view' => 'whatif'];

        return $this->view->page('whatif.html.twig', [
            'mistakes' => $mistakes,
            'struck' => $this->struck($set, $known, $strike->words(), $state),
            'notes_on' => $without === null ? [] : [...$without->notes(), ...RoutesWithout::notes($run)],
            'tables' => array_map(static fn (Table $table): array => (new ReportTable(
                $table->with(['note' => $table->key === 'totals' ? '' : $table->note]),
                look: 'own',
            ))->toArray(), $tables),
            'hidden' => $state,
            'lines' => implode("\n", $known),
        ] + ['view_label' => 'What if'] + RunHeader::top($this->runs, $set, $request, 'whatif'));
    }

    /** @return list<string> */
    private static function lines(string $text): array
    {
        if (strlen($text) > self::LONGEST) {
            throw new HttpError(400, 'The parameter "without" is too long.');
        }
        $lines = array_map(static fn (string $line): string => trim($line, "\r "), explode("\n", $text));

        return array_values(array_unique(array_filter($lines, static fn (string $line): bool => $line !== '')));
    }

    /**
     * @param list<string> $known
     * @param list<string> $words
     * @param array<string, ?string> $state
     *
     * @return list<array{name: string, url: ?string, drop_url: string}>
     */
    private function struck(ShownRun $set, array $known, array $words, array $state): array
    {
        $struck = [];
        // Functions stand before operations in words: see Strike::words().
        $isOperation = static fn (string $name): bool => str_starts_with($name, Strike::OPERATION);
        $ordered = [...array_filter($known, static fn (string $name): bool => !$isOperation($name)), ...array_filter(
            $known,
            $isOperation,
        )];
        foreach ($ordered as $at => $name) {
            $left = array_values(array_filter($known, static fn (string $other): bool => $other !== $name));
            $operation = Url::index($set->parameters() + [
                'view' => 'operations', 'operation' => substr($name, strlen(Strike::OPERATION)),
            ]);
            $struck[] = [
                'name' => $words[$at] ?? $name,
                'url' => $isOperation($name) ? "$operation#operation" : $set->functionUrl($name),
                'drop_url' => Url::index(['without' => implode("\n", $left)] + $state),
            ];
        }

        return $struck;
    }
}

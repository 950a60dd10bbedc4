<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Functions\FunctionPaths;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\PathMark;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\ShownMetric;

/** The call paths of a function on its page, from the run's call tree. */
final class SymbolPaths
{
    /** Numbers of a tree up to which it is read by default: a larger one would delay the page. */
    public const SMALL = 1 << 19;

    private const LIMIT = 20;

    public function __construct(private readonly RunOpener $runs, private readonly ShownRun $set, private readonly string $symbol)
    {
    }

    /**
     * @param array<string, ?string> $state parameters that name the page
     * @return array<string, mixed>|null variables of the template; null if the run has no call tree
     */
    public function variables(Request $request, string $metric, array $state): ?array
    {
        if ($this->set->isMean() || !$this->set->run->has(Run::TREE)) {
            return null;
        }
        $size = $this->set->run->numbers(Run::TREE);
        if ($size > self::SMALL && !$request->flag('paths')) {
            return ['url' => Url::index($state + ['paths' => '1']) . '#paths'];
        }
        try {
            $tree = $this->set->run->tree();
        } catch (DamagedRun | RunNotFound | StoreError $e) {
            return ['error' => $this->runs->httpError($e)->getMessage()];
        }
        if ($tree === null) {
            return null;
        }
        $known = [...$tree->metrics(), ...$tree->correctedMetrics()];
        $metric = in_array($metric, $known, true) ? $metric : $known[0];
        $paths = FunctionPaths::find($tree, $this->symbol, $metric, self::LIMIT);

        return ['table' => $this->table($paths, ShownMetric::of($metric))];
    }

    /** @return array<string, mixed> */
    private function table(FunctionPaths $paths, ShownMetric $metric): array
    {
        $unit = Metrics::isTime($metric->key) ? 1000 : 1;
        $name = EdgeKey::stripRecursion($this->symbol);
        $rows = array_map(static fn (array $path): array => [
            'path' => array_reverse($path['callers']),
            'marked' => [...$path['callers'], $name],
            'ct' => $path['ct'],
            "excl_$metric->key" => $path['exclusive'] / $unit,
            $metric->key => $path['inclusive'] / $unit,
        ], $paths->paths);
        $heaviest = $paths->count > count($rows) ? 'the heaviest ' . count($rows) . '; ' : '';
        $table = new Table(
            'paths',
            [
                Column::ofPage('path', Unit::Path, 'Called by'),
                Columns::calls($this->set->counted()),
                $metric->exclusive()->column(Column::PHONE, label: "$metric->label, self"),
                $metric->column(0, $paths->inclusive / $unit, 'Total'),
            ],
            $rows,
            'The call tree of this run has no path to this function.',
            'Call paths',
            'Call paths of this function, the heaviest first',
            $rows === [] ? '' : "{$heaviest}callers outwards; shares are of all its paths",
        );

        return (new ReportTable(
            $table,
            fn (array $row, string $key): array => $key !== 'path' ? []
                : ['frames' => ReportTable::frames($row['path'], $this->url(...))]
                    + ($row['path'] === [] ? ['text' => 'the run starts here'] : []),
            fn (array $row): array => ['Flame' => Url::index($this->set->parameters() + [
                'view' => 'flame',
                'metric' => $metric->key,
            ] + Url::symbolParameter($this->symbol, 'sel') + ['root' => PathMark::encode($row['marked'])])],
            'paths-table',
            look: 'functions single',
        ))->sorted(new Order($metric->key))->of($paths->count, null)->toArray();
    }

    private function url(string $name): ?string
    {
        return $this->set->run->profile()->hasSymbol($name)
            ? Url::index($this->set->parameters() + Url::symbolParameter($name))
            : null;
    }
}

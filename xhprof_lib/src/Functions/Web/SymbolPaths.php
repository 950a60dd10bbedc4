<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Functions\FunctionPaths;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;

/** The call paths of a function on its page, from the run's call tree. */
final class SymbolPaths
{
    /** Numbers of a tree up to which it is read by default: a larger one would delay the page. */
    public const SMALL = 1 << 19;

    private const LIMIT = 20;

    /** Callers shown at once; the others of these open on a click. */
    private const SHOWN = 6;
    private const FRAMES = 40;

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
            return ['lines' => null, 'url' => Url::index($state + ['paths' => '1']) . '#paths'];
        }
        try {
            $tree = $this->set->run->tree();
        } catch (DamagedRun | RunNotFound | StoreError $e) {
            return ['lines' => [], 'count' => 0, 'error' => $this->runs->httpError($e)->getMessage()];
        }
        if ($tree === null) {
            return null;
        }
        $known = [...$tree->metrics(), ...$tree->correctedMetrics()];
        $metric = in_array($metric, $known, true) ? $metric : $known[0];
        $paths = FunctionPaths::find($tree, $this->symbol, $metric, self::LIMIT);

        return [
            'metric' => ShownMetric::of($metric),
            'count' => $paths->count,
        ] + $this->lines($paths, ShownMetric::of($metric));
    }

    /** @return array{lines: list<array<string, mixed>>, names: string} the names of all paths as JSON, which `indexes` number */
    private function lines(FunctionPaths $paths, ShownMetric $metric): array
    {
        $lines = [];
        /** @var array<string, int> $names */
        $names = [];
        $unit = Metrics::isTime($metric->key) ? 1000 : 1;
        $total = $paths->inclusive / $unit;
        foreach ($paths->paths as $path) {
            $indexes = [];
            foreach ([...$path['callers'], EdgeKey::stripRecursion($this->symbol)] as $name) {
                $indexes[] = $names[$name] ??= count($names);
            }
            $lines[] = [
                'path' => $this->path(array_reverse($path['callers'])),
                'flame_url' => Url::index($this->set->parameters() + [
                    'view' => 'flame',
                    'metric' => $metric->key,
                ] + Url::symbolParameter($this->symbol, 'sel')),
                'indexes' => implode(' ', $indexes),
                'cells' => [
                    Cells::value($path['ct'], ShownMetric::of('ct')),
                    Cells::value($path['exclusive'] / $unit, $metric->exclusive()),
                    Cells::value($path['inclusive'] / $unit, $metric, $total, true, true),
                ],
            ];
        }

        $all = array_map(strval(...), array_keys($names));

        return ['lines' => $lines, 'names' => (string) json_encode($all, JSON_INVALID_UTF8_SUBSTITUTE)];
    }

    /**
     * @param list<string> $callers from the one that calls to the outermost
     * @return array<string, mixed>|null null for a function without callers
     */
    private function path(array $callers): ?array
    {
        if ($callers === []) {
            return null;
        }
        $frames = array_map(fn (string $name): array => [
            'name' => $name,
            'url' => $this->set->run->profile()->hasSymbol($name)
                ? Url::index($this->set->parameters() + Url::symbolParameter($name))
                : null,
            'recursive' => false,
        ], array_slice($callers, 0, self::FRAMES));
        $shown = count($callers) <= self::SHOWN + 1 ? count($callers) : self::SHOWN;

        return [
            'first' => $frames[0],
            'shown' => array_slice($frames, 1, $shown - 1),
            'rest' => array_slice($frames, $shown),
            'more' => count($callers) - count($frames),
        ];
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Profile\NameRules;
use XHProf\Run\MadeRun;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Secret\Redact;
use XHProf\Source\RunNames;
use XHProf\Source\SourceFiles;
use XHProf\Store\RunFolder;

/**
 * Makes of a run of the folder what leaves the host: with labels and the names that hosts share, without secrets.
 *
 * @phpstan-import-type KeptRequest from Run
 */
final class RunPacker
{
    /** Numbers of the trees of one run; each takes about 40 bytes of memory. */
    private const MAX_NUMBERS = 1 << 20;

    public function __construct(
        private readonly RunFolder $store,
        private readonly Labels $labels,
        private readonly CleanTexts $texts,
        private readonly ValueBound $values,
        private readonly NameRules $rules,
        private readonly SourceFiles $sources,
    ) {
    }

    /** @return array{string, string} host and service as all runs have them; '' if each has a service of its own */
    public function sender(): array
    {
        return [$this->texts->of($this->labels->host), $this->texts->of($this->labels->service ?? '')];
    }

    /**
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function kind(RunId $id): ?RunKind
    {
        return RunKind::fromMeta($this->store->open($id)->meta());
    }

    /**
     * @param int $numbers of its trees, see Run; added to it
     *
     * @throws RunNotFound|DamagedRun|StoreError DamagedRun also if it has no call tree, or too large a one
     */
    public function pack(RunId $id, int &$numbers = 0): Shipment
    {
        $run = $this->store->open($id);
        $own = $run->numbers(Run::TREE) + $run->numbers('exemplars');
        if ($own > self::MAX_NUMBERS) {
            throw new DamagedRun($id->fileName() . ': too large to be shipped');
        }
        try {
            $shipment = $this->packed($id, $run, $run->tree() ?? throw new InvalidProfile('it has no call tree'));
        } catch (InvalidProfile $e) {
            throw new DamagedRun($id->fileName() . ": {$e->getMessage()}", 0, $e);
        }
        $numbers += $own;

        return $shipment;
    }

    /** @throws InvalidProfile|RunNotFound|DamagedRun|StoreError */
    private function packed(RunId $id, Run $run, CallTree $tree): Shipment
    {
        $meta = $run->meta();
        $window = RunKind::fromMeta($meta) === RunKind::Window ? $meta->window : null;
        $routes = $window === null ? [] : $this->routes($tree, $window);
        $names = $routes + $this->names($tree, array_map(strval(...), array_keys($routes)), $meta->ts);
        $window = $window === null ? null : self::renamed($window, $routes);
        $labels = $this->labels;
        $text = $this->texts->of(...);
        $host = $text($labels->host);
        $service = $text($labels->service ?? $id->source);
        $isSingle = $window === null && $meta->group() !== '';
        $known = ['elapsed_us', 'suspended_us', 'samples', 'sample_interval_us', 'mode', 'trace_id', 'span_id'];
        $sent = RunMeta::fromArray([
            'ts' => $window->from ?? $meta->ts,
            'duration_us' => $window === null
                ? $meta->totals->durationUs
                : (int) round(1e6 * max(0.0, $window->to - $window->from)),
            'host' => $host,
            'php' => $text($meta->origin->php ?? ''),
            'release' => $text($labels->release ?? $meta->origin->release ?? $meta->origin->git ?? ''),
            'name' => $service,
            'route' => $isSingle ? $this->values->take(Labels::ROUTE, $text($meta->group())) : null,
            'aggregate' => $window?->toArray(),
            'totals' => array_intersect_key($meta->totals->figures, ['wt' => 0, 'cpu' => 0]),
            'failed' => $meta->isFailed(),
        ] + array_intersect_key($meta->toArray(), array_flip($known)));
        $key = "$host/$id";

        return new Shipment(
            $key,
            $service,
            $text($labels->env),
            $this->free($meta),
            new MadeRun(
                $id,
                $key,
                $sent,
                $this->clean($tree->renamed($names)),
                contexts: $run->contexts()?->withoutOperations(),
            ),
            $window === null ? [] : $this->exemplars($run, $names, $routes),
        );
    }

    /**
     * The routes of a window: those that it knows, and what is below main() in its tree.
     *
     * @return array<string, string> name => the one that is sent
     */
    private function routes(CallTree $tree, RequestWindow $window): array
    {
        $routes = $window->routes();
        foreach ($tree->depth as $node => $depth) {
            if ($depth === 1) {
                $routes[] = $tree->names[$tree->fn[$node]];
            }
        }
        $sent = [];
        foreach ($routes as $route) {
            $sent[$route] ??= $this->values->take(Labels::ROUTE, $this->texts->of($route));
        }

        return $sent;
    }

    /**
     * @param list<string> $routes
     *
     * @return array<string, string>
     */
    private function names(CallTree $tree, array $routes, ?float $recorded): array
    {
        $names = RunNames::ofTree($tree, $routes, $recorded, $this->sources, $this->rules);
        foreach (array_diff($tree->names, $routes) as $name) {
            $names[$name] = $this->texts->of($names[$name] ?? $name);
        }

        return $names;
    }

    /** The tree whose files, too, have no secrets in their names. */
    private function clean(CallTree $tree): CallTree
    {
        $files = array_map($this->texts->of(...), $tree->places->files);

        return $files === $tree->places->files ? $tree : CallTree::fromArray(['files' => $files] + $tree->toArray());
    }

    /**
     * @param array<string, string> $names
     * @param array<string, string> $routes
     *
     * @return list<KeptRequest>
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    private function exemplars(Run $run, array $names, array $routes): array
    {
        return array_map(fn (array $one): array => [
            'route' => $routes[$one['route']] ?? $this->values->take(Labels::ROUTE, $this->texts->of($one['route'])),
            'tree' => $this->clean($one['tree']->renamed($names)),
        ] + $one, $run->requests());
    }

    /** @return array<string, string> */
    private function free(RunMeta $meta): array
    {
        $labels = [];
        foreach ($this->labels->allowed as $name) {
            $value = $meta->meta[$name] ?? null;
            if (is_scalar($value) && (string) $value !== '') {
                // Its name decides too: "token".
                $clean = $this->texts->of("$name=" . (is_bool($value) ? ($value ? 'true' : 'false') : (string) $value));
                $value = str_starts_with($clean, "$name=") ? substr($clean, strlen($name) + 1) : Redact::MARK;
                $labels[$name] = $this->values->take($name, $value);
            }
        }

        return array_map($this->texts->of(...), $this->labels->fixed) + $labels;
    }

    /**
     * @param array<string, string> $routes name => another name, the same for several
     */
    private static function renamed(RequestWindow $window, array $routes): RequestWindow
    {
        if (array_filter($routes, static fn (string $to, string $from): bool => $to !== $from, ARRAY_FILTER_USE_BOTH) === []) {
            return $window;
        }
        $figures = [];
        foreach ($window->routes() as $route) {
            $to = $routes[$route] ?? $route;
            $figures[$to] = ($figures[$to] ?? RouteFigures::none())->plus($window->routeStats($route) ?? RouteFigures::none());
        }
        $data = $window->toArray();
        $data['routes'] = array_map(static fn (RouteFigures $route): array => $route->toArray(), $figures);

        return RequestWindow::fromMeta($data) ?? $window;
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Fleet\ShippedExemplar;
use XHProf\Fleet\ShippedRun;
use XHProf\Profile\CallTree;
use XHProf\Profile\NameRules;
use XHProf\Source\RunNames;
use XHProf\Source\SourceFiles;
use XHProf\Store\Run;
use XHProf\Store\Redact;
use XHProf\Store\RequestWindow;
use XHProf\Store\RouteFigures;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunFolder;

/** Makes of a run of the folder what leaves the host: with labels and the names that hosts share, without secrets. */
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
        return RunKind::of($this->store->open($id)->meta());
    }

    /** @return int numbers of its trees, see Run */
    public function size(RunId $id): int
    {
        return $this->store->open($id)->numbers(Run::TREE) + $this->store->open($id)->numbers('exemplars');
    }

    /**
     * @throws RunNotFound|DamagedRun|StoreError DamagedRun also if it has no call tree, or too large a one
     */
    public function pack(RunId $id): ShippedRun
    {
        if ($this->size($id) > self::MAX_NUMBERS) {
            throw new DamagedRun($id->fileName() . ': too large to be shipped');
        }
        $meta = $this->store->open($id)->meta();
        $tree = $this->store->open($id)->tree() ?? throw new DamagedRun($id->fileName() . ': it has no call tree');
        try {
            return $this->packed($id, $meta, $tree);
        } catch (InvalidProfile $e) {
            throw new DamagedRun($id->fileName() . ": {$e->getMessage()}", 0, $e);
        }
    }

    /** @throws InvalidProfile|RunNotFound|DamagedRun|StoreError */
    private function packed(RunId $id, RunMeta $meta, CallTree $tree): ShippedRun
    {
        $isAggregate = RunKind::of($meta) === RunKind::Aggregate;
        $routes = $isAggregate ? $this->routes($tree, $meta->window) : [];
        $names = $routes + $this->names($tree, array_map(strval(...), array_keys($routes)), $meta->ts);
        $window = $isAggregate && $meta->window !== null ? self::renamed($meta->window, $routes) : null;
        $from = $window->from ?? $meta->ts ?? 0.0;
        $to = $window->to ?? $from + ($meta->totals->durationUs ?? 0) / 1e6;
        $labels = $this->labels;
        $text = $this->texts->of(...);
        $host = $text($labels->host);
        $route = $isAggregate || $meta->group() === '' ? null : $this->values->take(Labels::ROUTE, $text($meta->group()));

        return new ShippedRun(
            key: "$host/$id",
            id: $id->id,
            source: $id->source,
            service: $text($labels->service ?? $id->source),
            env: $text($labels->env),
            release: $text($labels->release ?? $meta->origin->release ?? $meta->origin->git ?? ''),
            host: $host,
            php: $text($meta->origin->php ?? ''),
            mode: $meta->recording->mode ?? '',
            labels: $this->free($meta),
            from: $from,
            to: max($from, $to),
            window: $window,
            tree: $this->clean($tree->renamed($names)),
            interval: $meta->recording->samples === null || $meta->recording->mode === 'alloc' ? 0 : max(0, $meta->recording->sampleInterval ?? 0),
            exemplars: $isAggregate ? $this->exemplars($id, $names, $routes) : [],
            route: $route,
            wallUs: $isAggregate ? null : $meta->totals->figures['wt'] ?? $meta->totals->durationUs,
            cpuUs: $isAggregate ? null : $meta->totals->figures['cpu'] ?? null,
            isFailed: !$isAggregate && $meta->isFailed(),
            traceId: $meta->origin->traceId,
            spanId: $meta->origin->spanId,
        );
    }

    /**
     * The routes of an aggregate: those of its window, and what is below main() in its tree.
     *
     * @return array<string, string> name => the one that is sent
     */
    private function routes(CallTree $tree, ?RequestWindow $window): array
    {
        $routes = $window?->routes() ?? [];
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
     * @return list<ShippedExemplar>
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    private function exemplars(RunId $id, array $names, array $routes): array
    {
        $found = [];
        foreach ($this->store->open($id)->requests() as $one) {
            $found[] = new ShippedExemplar(
                $routes[$one['route']] ?? $this->values->take(Labels::ROUTE, $this->texts->of($one['route'])),
                $one['kind'],
                (float) $one['ended'],
                $one['wall_us'],
                $one['cpu_us'],
                $one['failed'],
                (string) ($one['id'] ?? $id),
                $this->clean($one['tree']->renamed($names)),
            );
        }

        return $found;
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

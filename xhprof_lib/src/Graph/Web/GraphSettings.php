<?php

declare(strict_types=1);

namespace XHProf\Graph\Web;

use XHProf\Exception\UnknownMetric;
use XHProf\Exception\UnknownSymbol;
use XHProf\Format\VisibleName;
use XHProf\Graph\CallGraph;
use XHProf\Graph\GraphOptions;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Templates;

/**
 * Settings of a request's call graph. Invalid values count as not given.
 *
 * Parameters: metric; internals (0: without PHP's own functions); threshold (least share of a function, 0 to 1), nodes (most
 * functions), critical (0: no path of the heaviest calls), levels (1: each level of recursion as a function of its own), focus
 * or focus_hash, which is func of the classic pages.
 */
final class GraphSettings
{
    private const THRESHOLD = 0.01;
    private const NODES = 120;
    private const MAX_NODES = 1000;

    private function __construct(
        public readonly string $metric,
        public readonly float $threshold,
        public readonly int $maxNodes,
        public readonly bool $critical,
        public readonly bool $levels,
        public readonly string $focus,
        public readonly bool $internals,
    ) {
    }

    /**
     * @param non-empty-list<Profile> $profiles the run, or before and after
     * @throws HttpError 404 if a function is named by a hash that none has
     */
    public static function fromRequest(Request $request, array $profiles): self
    {
        $focus = Symbols::fromRequest($request, $profiles, 'focus');
        $focus = $focus === '' ? Symbols::fromRequest($request, $profiles, 'func') : $focus;
        $levels = $request->flag('levels');

        return new self(
            ViewState::metric($request, self::metrics($profiles)),
            min(1.0, $request->fraction('threshold', self::THRESHOLD)),
            min(self::MAX_NODES, $request->number('nodes', self::NODES)),
            $request->flag('critical', true),
            $levels,
            $levels ? $focus : EdgeKey::stripRecursion($focus),
            $request->flag('internals', true),
        );
    }

    /**
     * @param non-empty-list<Profile> $profiles
     * @return list<string> metrics that all of them have
     */
    public static function metrics(array $profiles): array
    {
        return array_values(array_intersect(...array_map(static fn (Profile $profile): array => $profile->metrics(), $profiles)));
    }

    /** @return array<string, ?string> for URLs; null for defaults */
    public function parameters(): array
    {
        return [
            'metric' => $this->metric,
            'threshold' => $this->threshold === self::THRESHOLD ? null : (string) $this->threshold,
            'nodes' => $this->maxNodes === self::NODES ? null : (string) $this->maxNodes,
            'critical' => $this->critical ? null : '0',
            'levels' => $this->levels ? '1' : null,
            'internals' => $this->internals ? null : '0',
        ] + Url::symbolParameter($this->focus, 'focus');
    }

    /**
     * @param non-empty-list<Profile> $profiles the run, or before and after
     * @param bool $classic around a function its direct callers and callees only; else all paths through it, and the whole
     *     graph if there is no such function
     * @throws HttpError 404 if there is nothing to draw, or, for the classic graph, no such function
     */
    public function graph(array $profiles, bool $classic): CallGraph
    {
        $focus = $this->focus === '' ? null : $this->focus;
        $options = new GraphOptions(
            metric: $this->metric,
            threshold: $this->threshold,
            func: $classic ? $focus : null,
            criticalPath: $this->critical,
            maxNodes: $this->maxNodes,
            foldRecursion: !$this->levels,
            focus: $classic ? null : $focus,
            internals: $this->internals,
        );
        try {
            return isset($profiles[1])
                ? CallGraph::ofDiff($profiles[0], $profiles[1], $options)
                : CallGraph::ofProfile($profiles[0], $options);
        } catch (UnknownSymbol $e) {
            $name = VisibleName::text($this->focus, Templates::NAME_LIMIT);
            throw new HttpError(404, "This run has no function $name.", $e);
        } catch (UnknownMetric $e) {
            throw new HttpError(404, 'This run has call counts only, so there is no call graph.', $e);
        }
    }
}

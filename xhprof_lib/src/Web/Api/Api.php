<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;
use XHProf\Web\Source\EditorLink;

/**
 * api.php: the data behind the pages as JSON. `get` selects it, the other parameters are those of the pages. An answer is
 * identified by its ETag, made of the files it is read from, so that nothing is computed for a client that has it already.
 */
final class Api
{
    /** Part of every ETag: increased when answers change although runs do not. */
    private const REVISION = 6;

    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        $endpoint = match ($request->text('get')) {
            'functions' => new FunctionsEndpoint($this->runs),
            'edges' => new EdgesEndpoint($this->runs),
            'graph' => new GraphEndpoint($this->runs),
            'tree' => new TreeEndpoint($this->runs),
            'samples' => new SamplesEndpoint($this->runs),
            'timeline' => new TimelineEndpoint($this->runs),
            'operations' => new OperationsEndpoint($this->runs),
            'symbol' => new SymbolEndpoint($this->runs),
            'diff' => new DiffEndpoint($this->runs),
            'names' => new NamesEndpoint($this->runs),
            'aggregate' => new AggregateEndpoint($this->runs),
            'export' => new ExportEndpoint($this->runs),
            'runs' => new RunsEndpoint($this->runs),
            default => throw new HttpError(400, 'There is no such "get": there are '
                . 'functions, edges, graph, tree, samples, timeline, operations, symbol, diff, names, aggregate, export, runs.'),
        };
        $tag = $this->tag($request);
        $known = array_map(trim(...), explode(',', $request->server('HTTP_IF_NONE_MATCH')));
        if ($tag !== null && in_array($tag, $known, true)) {
            return Response::notModified()->withHeaders(['ETag' => $tag]);
        }
        $response = $endpoint->respond($request);

        return $response->withHeaders($tag === null || $response->status !== 200 ? [] : ['ETag' => $tag])->compressedFor($request);
    }

    /**
     * @return string|null null if the answer does not come from runs that the request names
     * @throws HttpError 400, 404
     */
    private function tag(Request $request): ?string
    {
        $source = $request->text('source');
        $settings = [$request->setting(EditorLink::EDITOR), $request->setting(EditorLink::MAP), $request->setting(TreeEndpoint::MOST)];
        $versions = [[self::REVISION, $settings], $request->parameters()];
        foreach (['run' => 'source', 'run1' => 'source1', 'run2' => 'source2'] as $run => $ownSource) {
            if (!$request->has($run)) {
                continue;
            }
            [$ids] = $this->runs->identify($request->text($run), $request->text($ownSource, $source));
            foreach ($ids as $id) {
                $versions[] = $this->runs->guard($ids, fn (): string => $this->runs->store->version($id));
            }
        }

        return count($versions) === 2 ? null : 'W/"' . substr(hash('sha256', serialize($versions)), 0, 32) . '"';
    }
}

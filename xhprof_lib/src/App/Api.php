<?php

declare(strict_types=1);

namespace XHProf\App;

use XHProf\Compare\Web\DiffEndpoint;
use XHProf\Compare\Web\MeanEndpoint;
use XHProf\Compare\Web\NamesEndpoint;
use XHProf\Export\Web\ExportEndpoint;
use XHProf\Fleet\Web\FleetTreeEndpoint;
use XHProf\Functions\Web\EdgesEndpoint;
use XHProf\Functions\Web\FunctionsEndpoint;
use XHProf\Functions\Web\SymbolEndpoint;
use XHProf\Graph\Web\GraphEndpoint;
use XHProf\Run\RunId;
use XHProf\Runs\Web\FindingsEndpoint;
use XHProf\Runs\Web\RunsEndpoint;
use XHProf\Web\Api\ColumnsEndpoint;
use XHProf\Web\Api\DocumentEndpoint;
use XHProf\Web\Api\KindsEndpoint;
use XHProf\Web\Api\TreeDocument;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunGroups;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Source\EditorLink;

/**
 * api.php: the data behind the pages as JSON, and as columns. `get` selects it, the other parameters are those of the pages. An
 * answer is identified by its ETag, made of the files it is read from, so that nothing is computed for a client that has it
 * already.
 */
final class Api extends StorePage
{
    /** Part of every ETag: increased when answers change although runs do not. */
    private const REVISION = 8;

    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        $endpoint = match ($request->text('get')) {
            'functions' => new FunctionsEndpoint($this->runs),
            'edges' => new EdgesEndpoint($this->runs),
            'graph' => new GraphEndpoint($this->runs),
            'columns' => new ColumnsEndpoint($this->runs),
            'tree' => new DocumentEndpoint($this->runs, 'tree', 'tree'),
            'samples' => new DocumentEndpoint($this->runs, 'samples', 'stacks'),
            'timeline' => new DocumentEndpoint($this->runs, 'timeline', 'timeline'),
            'operations' => new DocumentEndpoint($this->runs, 'operations', 'operations'),
            'kinds' => new KindsEndpoint($this->runs),
            'symbol' => new SymbolEndpoint($this->runs),
            'diff' => new DiffEndpoint($this->runs),
            'names' => new NamesEndpoint($this->runs),
            'mean', 'aggregate' => new MeanEndpoint($this->runs),
            'export' => new ExportEndpoint($this->runs),
            'runs' => new RunsEndpoint($this->runs),
            'findings' => new FindingsEndpoint($this->runs),
            'fleet-tree' => new FleetTreeEndpoint(),
            default => throw new HttpError(400, 'There is no such "get": there are '
                . 'functions, edges, graph, columns, tree, samples, timeline, operations, kinds, symbol, diff, names, mean, '
                . 'export, runs, findings, fleet-tree.'),
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
        $settings = array_map($request->setting(...), [EditorLink::EDITOR, EditorLink::MAP, TreeDocument::MOST]);
        $ids = $this->ids($request);
        $versions = array_map(fn (RunId $id): string => $this->runs->opened($id)->version(), $ids);
        $all = [[self::REVISION, $settings, RunGroups::version($request)], $request->parameters(), ...$versions];

        return $ids === [] ? null : 'W/"' . substr(hash('sha256', serialize($all)), 0, 32) . '"';
    }

    /**
     * @return list<RunId> runs that the request names
     * @throws HttpError 400
     */
    private function ids(Request $request): array
    {
        $named = [];
        foreach (['run' => 'source', 'run1' => 'source1', 'run2' => 'source2'] as $run => $ownSource) {
            if ($request->has($run)) {
                [$ids] = $this->runs->identify($request->text($run), $request->text($ownSource, $request->text('source')));
                array_push($named, ...$ids);
            }
        }

        return $named;
    }
}

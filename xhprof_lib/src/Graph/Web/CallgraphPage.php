<?php

declare(strict_types=1);

namespace XHProf\Graph\Web;

use XHProf\Compare\Web\DiffPair;
use XHProf\Exception\GraphError;
use XHProf\Graph\DotWriter;
use XHProf\Graph\Graphviz;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\StorePage;

/**
 * callgraph.php, as classic links and pages embed it: with `type` the picture, drawn by Graphviz on the server, or its description
 * in Graphviz's language; else GraphPage.
 *
 * Parameters: those of GraphPage; type (svg, png, jpg, gif, dot).
 */
final class CallgraphPage extends StorePage
{
    private const TYPES = ['svg' => 'image/svg+xml', 'png' => 'image/png', 'jpg' => 'image/jpeg', 'gif' => 'image/gif'];

    /** Time limit for drawing, in seconds. */
    private const TIME_LIMIT = 15.0;

    public function respond(Request $request): Response
    {
        if (!$request->has('type') || !($request->has('run') || $request->has('run1') && $request->has('run2'))) {
            return (new GraphPage($this->runs, $this->view))->respond($request);
        }
        $type = $request->text('type');
        if (!isset(self::TYPES[$type]) && $type !== 'dot') {
            throw new HttpError(400, 'The type of the picture is one of ' . implode(', ', array_keys(self::TYPES)) . ', dot.');
        }
        $shown = $request->has('run1') && $request->has('run2')
            ? DiffPair::named($request, $this->runs)
            : $this->runs->named($request);
        $profiles = $shown instanceof DiffPair
            ? [$shown->before->run->profile(), $shown->after->run->profile()]
            : [$shown->run->profile()];
        $settings = GraphSettings::fromRequest($request, $profiles);
        $dot = DotWriter::write($settings->graph($profiles, $request->has('func')), $shown->counted());

        if ($type !== 'dot') {
            return $this->picture($dot, $type);
        }

        return Response::text($dot)
            ->withHeaders(['Content-Disposition' => 'attachment; filename="call-graph.dot"']);
    }

    /** @param key-of<self::TYPES> $type */
    private function picture(string $dot, string $type): Response
    {
        if (!function_exists('proc_open')) {
            throw new HttpError(500, 'The picture cannot be drawn: this PHP may not start programs.');
        }
        try {
            return Response::image((new Graphviz(self::TIME_LIMIT))->render($dot, $type), self::TYPES[$type]);
        } catch (GraphError $e) {
            throw new HttpError(500, 'The picture cannot be drawn: ' . $e->getMessage() . '.', $e);
        }
    }
}

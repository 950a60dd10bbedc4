<?php

declare(strict_types=1);

namespace XHProf\Paths\Web;

use XHProf\Run\Run;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\Templates;

/** What the views of call paths show without JavaScript: the heaviest paths as text (paths.html.twig). */
final class PathsText
{
    /** Numbers of a tree up to which the text is written by default: reading a larger one would delay the page. */
    private const SMALL = 1 << 18;

    /**
     * Parameters: metric; paths=1 writes the text of a large tree, or of a mean, as well.
     *
     * @return array<string, mixed> "paths" is null where the text was left out
     * @throws HttpError 404 without a call tree
     */
    public static function variables(ShownRun $set, Request $request, string $view): array
    {
        // A mean reads all its trees.
        $isSmall = !$set->isMean() && $set->run->numbers(Run::TREE) <= self::SMALL;

        return ($isSmall || $request->flag('paths') ? self::text($set, $request) : ['paths' => null]) + [
            'top' => Templates::TOP,
            'paths_url' => Url::index($set->parameters() + ['view' => $view, 'paths' => '1']),
        ];
    }

    /** @return array<string, mixed> */
    private static function text(ShownRun $set, Request $request): array
    {
        $tree = $set->run->tree() ?? throw new HttpError(404, 'This run has no call tree.');
        $metric = TreeMetric::of(ViewState::metric($request, TreeMetric::keys($tree)));

        return [
            'paths' => (new TopPaths($tree, $metric, $set->parameters()))->root(),
            'metric' => $metric,
        ];
    }
}

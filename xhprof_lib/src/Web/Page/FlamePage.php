<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Profile\TreeMean;
use XHProf\Store\RunId;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\RunSet;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\View;

/**
 * index.php?run=ID&view=flame: the call paths of a run, drawn by assets/js/flame/ from api.php?get=tree; without JavaScript the
 * heaviest ones as text.
 *
 * Parameters: run, source, wts, corrected, metric; paths=1 writes the text of a large tree, or of a mean, as well.
 */
final class FlamePage
{
    /** Bytes of a tree's file up to which the text is written by default: reading a larger one would delay the page. */
    private const SMALL = 1 << 20;

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $top = RunHeader::top($this->runs, $set, $request, 'flame');
        if (!self::hasTrees($this->runs, $set)) {
            return $this->view->page('no_tree.html.twig', $top + ['view' => 'Flame graph'], 404);
        }
        // A mean reads all its trees.
        $isSmall = !$set->isAggregate() && $this->runs->store->treeBytes($set->ids[0]) <= self::SMALL;
        $isText = $isSmall || $request->flag('paths');

        return $this->view->page('flame.html.twig', $top + ($isText ? $this->text($set, $request) : ['paths' => null]) + [
            'top' => View::TOP,
            'island' => self::island($set),
            'paths_url' => Url::index($set->parameters() + ['view' => 'flame', 'paths' => '1']),
        ]);
    }

    /** Whether api.php?get=tree has a tree for them. */
    public static function hasTrees(Runs $runs, RunSet $set): bool
    {
        foreach ($set->ids as $runId) {
            if (!$runs->store->hasTree($runId)) {
                return false;
            }
        }

        return true;
    }

    /** @return array{tree: string, symbol: string, sandwich: string, function: string, merged: bool} where the scripts of this run's views get their data */
    public static function island(RunSet $set): array
    {
        return [
            'tree' => Url::api('tree', ['corrected' => null] + $set->parameters()),
            // As in the flame graph, where a recursive function is one.
            'symbol' => Url::api('symbol', ['levels' => null] + $set->parameters()),
            'sandwich' => Url::index($set->parameters() + ['view' => 'sandwich']),
            'function' => Url::index($set->parameters()),
            'merged' => $set->meta->aggregate !== null,
        ];
    }

    /** @return array<string, mixed> */
    private function text(RunSet $set, Request $request): array
    {
        $tree = $this->tree($set);
        $metric = TreeMetric::of(ViewState::metric($request, TreeMetric::keys($tree)));

        return [
            'paths' => (new TopPaths($tree, $metric, $set->parameters()))->root(),
            'metric' => $metric,
        ];
    }

    /** @throws HttpError 404 deleted meanwhile, 413 a mean of too many call paths, 500 damaged */
    private function tree(RunSet $set): CallTree
    {
        $trees = array_map(fn (RunId $id): \Closure => fn (): CallTree => $this->runs->store->tree($id)
            ?? throw new HttpError(404, 'This run has no call tree.'), $set->ids);
        try {
            return $set->isAggregate() ? TreeMean::of($trees, $set->weights) : $trees[0]();
        } catch (InvalidProfile $e) {
            throw new HttpError(413, "There is no mean of these call trees: {$e->getMessage()}.", $e);
        } catch (DamagedRun | StoreError $e) {
            throw new HttpError(500, "This run's call tree cannot be read: " . $this->runs->publicText($e) . '.', $e);
        } catch (RunNotFound $e) {
            throw new HttpError(404, 'The run was deleted while this page was made.', $e);
        }
    }
}

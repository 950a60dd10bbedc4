<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Profile\TreeMean;
use XHProf\Store\Run;
use XHProf\Store\RunId;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\RunSet;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\View;

/** What the views of call paths show without JavaScript: the heaviest paths as text (paths.html.twig). */
final class PathsText
{
    /** Numbers of a tree up to which the text is written by default: reading a larger one would delay the page. */
    private const SMALL = 1 << 18;

    public function __construct(private readonly Runs $runs)
    {
    }

    /**
     * Parameters: metric; paths=1 writes the text of a large tree, or of a mean, as well.
     *
     * @return array<string, mixed> "paths" is null where the text was left out
     * @throws HttpError 404 deleted meanwhile, 413 a mean of too many call paths, 500 damaged
     */
    public function of(RunSet $set, Request $request, string $view): array
    {
        // A mean reads all its trees.
        $isSmall = !$set->isAggregate() && $this->runs->store->open($set->ids[0])->numbers(Run::TREE) <= self::SMALL;

        return ($isSmall || $request->flag('paths') ? $this->text($set, $request) : ['paths' => null]) + [
            'top' => View::TOP,
            'paths_url' => Url::index($set->parameters() + ['view' => $view, 'paths' => '1']),
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

    private function tree(RunSet $set): CallTree
    {
        $trees = array_map(fn (RunId $id): \Closure => fn (): CallTree => $this->runs->tree($id, $set->range)
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

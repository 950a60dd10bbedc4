<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Profile\PrunedTree;
use XHProf\Profile\Timeline;
use XHProf\Profile\TreeMean;
use XHProf\Profile\TreePart;
use XHProf\Report\Counted;
use XHProf\Report\MetricList;
use XHProf\Store\OpenFile;
use XHProf\Store\PhpMemory;
use XHProf\Store\RunId;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunRange;
use XHProf\Web\Run\Runs;

/**
 * get=tree: the call paths of a run as columns in preorder, in the shape of tree.json; of several runs their mean by path; with
 * x0 and x1 those of a range of time. The
 * metrics that a tree can have come first.
 *
 * Of a larger tree the largest paths are sent, and `pruned`: how many `nodes` of how many (`of`) were added up, and which ones
 * the others are (`origin`, see TreePart::runs()). With `root`, the name of a TreePart, and `version`, as `pruned` has it, the
 * answer is that part of the same tree, and has no names: those of the whole tree are meant. With timeline=1 all paths of the
 * timeline are there.
 */
final class TreeEndpoint
{
    /**
     * Most call paths sent, the largest ones of a larger tree: a browser does not hold more. A run that reached the
     * default of xhprof.max_nodes, 1,000,000 and a sixteenth more (truncated) ones, is sent whole.
     */
    public const MAX_NODES = 1062516;

    /** Most nodes read, however much memory there is. */
    private const MAX_READ = 5000000;

    /** Memory per node for reading a tree and leaving out its small paths. */
    private const BYTES_PER_NODE = 640;

    /** Setting of the operator's: most call paths sent. */
    public const MOST = 'XHPROF_TREE_NODES';

    private const LEAST = 10;

    private const NO_TREE = ' has no call tree: it was saved without its call paths.';

    /** Bytes of a tree.json that hold the number of its nodes. */
    private const HEAD = 4096;

    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError 404 if no call tree was saved, 413 if there is too much of it */
    public function respond(Request $request): Response
    {
        [$ids, $weights] = $this->runs->identify($request->text('run'), $request->text('source'), $request->text('wts'));
        foreach ($ids as $id) {
            if (!$this->runs->store->hasTree($id)) {
                $this->runs->guard($ids, fn (): string => $this->runs->store->version($id));
                $which = count($ids) === 1 ? 'This run' : "The run $id->id";
                return Json::error(404, $which . self::NO_TREE, 'no-tree');
            }
            $this->assertReadable($id, count($ids) > 1 ? TreeMean::MAX_NODES : self::maxNodes());
        }
        $metrics = MetricList::ofTree($this->counted($ids[0]));
        if (count($ids) > 1) {
            $this->runs->range($request, $ids);
            return $this->mean($ids, $weights, $metrics, $request);
        }
        $most = self::most($request);
        $range = $this->runs->range($request, $ids);
        if ($request->has('root')) {
            $tree = $this->tree($ids[0], $range);
            return $this->part($tree, $most, $request->text('root'), $this->version($ids), $request->text('version'));
        }
        if ($range !== null) {
            return $this->answer($this->tree($ids[0], $range), $most, ['metrics' => $metrics], $this->version($ids));
        }
        $file = $this->file($ids[0]);
        // A file that does not begin as an object with entries is passed on as well: its reader finds the damage.
        if ($file !== null && self::nodes($file) <= $most) {
            $begins = preg_match('/\A\s*\{(?=\s*")/', $file->part(0, self::HEAD), $match) === 1;
            fseek($file->stream, $begins ? strlen($match[0]) : 0);
            return Response::jsonStream($file->stream, $begins ? '{"metrics":' . trim(Json::encode($metrics)) . ',' : '');
        }

        $tree = $this->tree($ids[0]);
        $kept = $request->flag('timeline') ? $this->nodesOfTimeline($ids[0], $tree) : [];
        return $this->answer($tree, $most, ['metrics' => $metrics], $this->version($ids), $kept);
    }

    /** Most call paths sent. */
    private static function most(Request $request): int
    {
        $setting = filter_var($request->setting(self::MOST), FILTER_VALIDATE_INT, ['options' => [
            'min_range' => self::LEAST,
            'max_range' => self::MAX_READ,
        ]]);

        return is_int($setting) ? $setting : self::MAX_NODES;
    }

    /** The tree's count; calls if the metadata of the run cannot be read, as on its pages. */
    private function counted(RunId $id): Counted
    {
        try {
            return Counted::of($this->runs->store->meta($id));
        } catch (RunNotFound | DamagedRun | StoreError) {
            return Counted::Calls;
        }
    }

    /**
     * @param non-empty-list<RunId> $ids
     * @param list<int> $weights
     * @param list<array<string, mixed>> $metrics of MetricList
     */
    private function mean(array $ids, array $weights, array $metrics, Request $request): Response
    {
        $trees = array_map(fn (RunId $id): \Closure => fn (): CallTree => $this->tree($id), $ids);
        try {
            $mean = TreeMean::of($trees, $weights);
        } catch (InvalidProfile $e) {
            throw new HttpError(413, "There is no mean of these call trees: {$e->getMessage()}.", $e);
        }
        $most = self::most($request);

        return $request->has('root')
            ? $this->part($mean, $most, $request->text('root'), $this->version($ids), $request->text('version'))
            : $this->answer($mean, $most, ['metrics' => $metrics, 'runs' => count($ids)], $this->version($ids));
    }

    private function tree(RunId $id, ?RunRange $range = null): CallTree
    {
        return $this->runs->guard([$id], fn (): ?CallTree => $this->runs->tree($id, $range))
            ?? throw new HttpError(404, "The run $id->id" . self::NO_TREE);
    }

    /** @return list<int> nodes that the run's timeline refers to; none if it has no timeline */
    private function nodesOfTimeline(RunId $id, CallTree $tree): array
    {
        $timeline = $this->runs->guard([$id], fn (): ?Timeline => $this->runs->store->timeline($id, $tree));

        return $timeline === null ? [] : array_keys(array_flip($timeline->node));
    }

    /**
     * @param array<string, mixed> $more
     * @param list<int> $kept
     */
    private function answer(CallTree $tree, int $most, array $more, string $version, array $kept = []): Response
    {
        $part = TreePart::of($tree, $most, '', $kept);
        if ($part->nodes > 0) {
            $more['pruned'] = self::pruned($part, $tree->count()) + ['version' => $version];
        }

        return Json::answer('tree', $more + $part->tree->toArray());
    }

    /** @throws HttpError 400 no such part; 409 of another version */
    private function part(CallTree $tree, int $most, string $steps, string $version, string $wanted): Response
    {
        if ($wanted !== $version) {
            throw new HttpError(409, 'This run has been saved anew. Reload the page.');
        }
        try {
            $part = TreePart::of($tree, $most, $steps);
        } catch (InvalidProfile $e) {
            throw new HttpError(400, "There is no part \"root\" of this run: {$e->getMessage()}.", $e);
        }
        $data = ['names' => []] + array_diff_key($part->tree->toArray(), $part->tree->places->toArray());

        return Json::answer('tree', ['pruned' => self::pruned($part, $tree->count())] + $data);
    }

    /** @return array{nodes: int, of: int, name: string, origin: list<int>} */
    private static function pruned(TreePart $part, int $of): array
    {
        return ['nodes' => $part->nodes, 'of' => $of, 'name' => PrunedTree::NAME, 'origin' => $part->runs()];
    }

    /** @param non-empty-list<RunId> $ids */
    private function version(array $ids): string
    {
        $versions = $this->runs->guard($ids, fn (): array => array_map($this->runs->store->version(...), $ids));

        return substr(hash('sha256', implode(' ', $versions)), 0, 16);
    }

    /** @throws HttpError 413 if the tree is known to be larger */
    private function assertReadable(RunId $id, int $most): void
    {
        $nodes = self::nodes($this->file($id));
        if ($nodes > $most) {
            throw new HttpError(413, sprintf(
                'The call tree of the run %s is too large: it has %s call paths, and at most %s can be read here.',
                $id->id,
                Units::count($nodes),
                Units::count($most),
            ));
        }
    }

    /** Nodes of the largest tree for which there is memory. */
    private static function maxNodes(): int
    {
        return max(self::MAX_NODES, min(self::MAX_READ, intdiv(PhpMemory::limit(), self::BYTES_PER_NODE)));
    }

    private function file(RunId $id): ?OpenFile
    {
        return $this->runs->guard([$id], fn (): ?OpenFile => $this->runs->store->treeFile($id));
    }

    /** Number of nodes that a saved tree declares; 0 if it declares none, because its reader then finds the damage. */
    private static function nodes(?OpenFile $file): int
    {
        return preg_match('/"n":\s*([0-9]{1,12})[,}]/', $file?->part(0, self::HEAD) ?? '', $match) === 1 ? (int) $match[1] : 0;
    }
}

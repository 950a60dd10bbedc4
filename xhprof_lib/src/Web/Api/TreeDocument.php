<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\PrunedTree;
use XHProf\Profile\Timeline;
use XHProf\Profile\TreeMean;
use XHProf\Profile\TreePart;
use XHProf\Report\Counted;
use XHProf\Report\MetricList;
use XHProf\Run\RunFile;
use XHProf\Store\Run;
use XHProf\Store\PhpMemory;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Run\RunRange;
use XHProf\Web\Run\Runs;

/**
 * The document "tree" of an answer: the call paths of a run as columns in preorder, as its file has them; of several runs their
 * mean by path; with x0 and x1 those of a range of time. Besides there are `metrics`, those that a tree can have, and `version`, of
 * the files that it comes from.
 *
 * Of a larger tree the largest paths are sent, and `pruned`: how many `nodes` of how many (`of`) were added up, and which ones
 * the others are (`origin`, see TreePart::runs()). With `root`, the name of a TreePart, and `version` the answer is that part of
 * the same tree, and has no names: those of the whole tree are meant. With timeline=1 all paths of the timeline are there.
 *
 * A tree as the file has it is without corrected times: `correctable` says for which metrics the document "corrected" has them,
 * per node of this tree.
 */
final class TreeDocument
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

    /** Memory per node for computing its corrected times. */
    private const BYTES_PER_CORRECTED_NODE = 160;

    /** Setting of the operator's: most call paths sent. */
    public const MOST = 'XHPROF_TREE_NODES';

    private const LEAST = 10;

    public function __construct(private readonly Runs $runs)
    {
    }

    /**
     * @param non-empty-list<RunId> $ids
     * @param list<int> $weights
     * @return Document|null null if no call tree was saved of one of them
     * @throws HttpError 400 no such range or part, 409 of another version, 413 if there is too much of it
     */
    public function of(Request $request, array $ids, array $weights): ?Document
    {
        foreach ($ids as $id) {
            if (!$this->runs->store->open($id)->has(Run::TREE)) {
                return null;
            }
            $this->assertReadable($id, count($ids) > 1 ? TreeMean::MAX_NODES : self::maxNodes());
        }
        $range = $this->runs->range($request, $ids);
        $most = self::most($request);
        $file = $this->file($ids[0]);
        $isStored = count($ids) === 1 && $range === null && !$request->has('root') && $file !== null;
        if ($isStored && $file->count('tree.fn') <= $most) {
            return Document::stored('tree', $file, $this->about($ids) + ['correctable' => $this->correctable($ids[0], $file)]);
        }
        $tree = count($ids) > 1 ? $this->mean($ids, $weights) : $this->tree($ids[0], $range);
        if ($request->has('root')) {
            return $this->part($tree, $most, $request->text('root'), $this->version($ids), $request->text('version'));
        }
        $kept = $range === null && $request->flag('timeline') ? $this->nodesOfTimeline($ids[0], $tree) : [];
        $part = TreePart::of($tree, $most, '', $kept);
        $pruned = $part->nodes > 0 ? ['pruned' => self::pruned($part, $tree->count())] : [];

        return Document::made('tree', $this->about($ids) + $pruned + $part->tree->toArray());
    }

    /**
     * @return Document|null the corrected times of each node of the whole tree, by metric; null if the run has none
     * @throws HttpError 409, 413
     */
    public function corrected(Request $request, RunId $id): ?Document
    {
        if ($request->has('version')) {
            self::assertVersion($this->version([$id]), $request->text('version'));
        }
        $file = $this->file($id);
        $metrics = $file === null ? [] : $this->correctable($id, $file);
        if ($file === null || $metrics === []) {
            return null;
        }
        $this->assertReadable($id, intdiv(PhpMemory::limit(), self::BYTES_PER_CORRECTED_NODE));

        return $this->runs->guard([$id], function () use ($id, $file, $metrics): Document {
            // What else the tree has is not read: a large one fits into memory.
            $data = ['names' => $file->texts('tree.names'), 'self' => []];
            foreach (['function_kind', 'fn', 'depth', 'ct'] as $column) {
                $data[$column] = $file->column("tree.$column");
            }
            foreach (array_unique(['wt', ...$metrics]) as $metric) {
                $data['self'][$metric] = $file->column("tree.self.$metric");
            }
            $tree = CorrectedTimes::of(CallTree::fromArray($data), $this->meta($id)->overhead ?? []);

            return Document::made('corrected', $tree->corrected);
        });
    }

    /** @return list<string> */
    private function correctable(RunId $id, RunFile $file): array
    {
        return $file->hasColumn('tree.function_kind')
            ? CorrectedTimes::metrics($this->meta($id)->overhead ?? [], $file->columns('tree.self'))
            : [];
    }

    /**
     * @param non-empty-list<RunId> $ids
     * @return array<string, mixed>
     */
    private function about(array $ids): array
    {
        $meta = $this->meta($ids[0]);
        // Calls if the metadata of the run cannot be read, as on its pages.
        $counted = $meta === null ? Counted::Calls : Counted::of($meta);

        return ['metrics' => MetricList::ofTree($counted), 'version' => $this->version($ids)]
            + (count($ids) > 1 ? ['runs' => count($ids)] : []);
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

    private function meta(RunId $id): ?RunMeta
    {
        try {
            return $this->runs->store->open($id)->meta();
        } catch (RunNotFound | DamagedRun | StoreError) {
            return null;
        }
    }

    /**
     * @param non-empty-list<RunId> $ids
     * @param list<int> $weights
     */
    private function mean(array $ids, array $weights): CallTree
    {
        $trees = array_map(fn (RunId $id): \Closure => fn (): CallTree => $this->tree($id), $ids);
        try {
            return TreeMean::of($trees, $weights);
        } catch (InvalidProfile $e) {
            throw new HttpError(413, "There is no mean of these call trees: {$e->getMessage()}.", $e);
        }
    }

    private function tree(RunId $id, ?RunRange $range = null): CallTree
    {
        return $this->runs->guard([$id], fn (): ?CallTree => $this->runs->tree($id, $range))
            ?? throw new HttpError(404, "The run $id->id has no call tree: it was saved without its call paths.");
    }

    /** @return list<int> nodes that the run's timeline refers to; none if it has no timeline */
    private function nodesOfTimeline(RunId $id, CallTree $tree): array
    {
        $timeline = $this->runs->guard([$id], fn (): ?Timeline => $this->runs->store->open($id)->timeline());

        return $timeline === null ? [] : array_keys(array_flip($timeline->node));
    }

    /** @throws HttpError 400 no such part; 409 of another version */
    private function part(CallTree $tree, int $most, string $steps, string $version, string $wanted): Document
    {
        self::assertVersion($version, $wanted);
        try {
            $part = TreePart::of($tree, $most, $steps);
        } catch (InvalidProfile $e) {
            throw new HttpError(400, "There is no part \"root\" of this run: {$e->getMessage()}.", $e);
        }
        $data = ['names' => []] + array_diff_key($part->tree->toArray(), $part->tree->places->toArray());

        return Document::made('tree', ['pruned' => self::pruned($part, $tree->count())] + $data);
    }

    /** @throws HttpError 409 */
    private static function assertVersion(string $version, string $wanted): void
    {
        if ($wanted !== $version) {
            throw new HttpError(409, 'This run has been saved anew. Reload the page.');
        }
    }

    /** @return array{nodes: int, of: int, name: string, origin: list<int>} */
    private static function pruned(TreePart $part, int $of): array
    {
        return ['nodes' => $part->nodes, 'of' => $of, 'name' => PrunedTree::NAME, 'origin' => $part->runs()];
    }

    /** @param non-empty-list<RunId> $ids */
    private function version(array $ids): string
    {
        $versions = $this->runs->guard($ids, fn (): array => array_map(fn (RunId $id): string => $this->runs->store->open($id)->version(), $ids));

        return substr(hash('sha256', implode(' ', $versions)), 0, 16);
    }

    /** @throws HttpError 413 if the tree is known to be larger */
    private function assertReadable(RunId $id, int $most): void
    {
        $nodes = $this->runs->store->open($id)->nodes();
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

    private function file(RunId $id): ?RunFile
    {
        return $this->runs->guard([$id], fn (): ?RunFile => $this->runs->store->open($id)->file());
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Format\Units;
use XHProf\Functions\MetricList;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\PrunedTree;
use XHProf\Profile\TreePart;
use XHProf\Run\PhpMemory;
use XHProf\Run\Run;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Run\ShownRun;

/**
 * The document "tree" of an answer: the call paths of a run as columns in preorder, in the form of the run's file. For several
 * runs they are the mean of each path; with x0 and x1 they are the calls of that range of time. `metrics` lists the metrics
 * that a tree can have, and `version` names the version of the files that the tree was read from.
 *
 * Of a tree that is too large only the largest paths are sent. `pruned` then says how many `nodes` of how many (`of`) were added
 * up, and which numbers the remaining nodes have in the whole tree (`origin`, see TreePart::runs()). With the parameters `root`,
 * the name of a TreePart, and `version` the answer is that part of the same tree; it has no names of its own, but uses those of
 * the whole tree. With timeline=1 no path of the timeline is left out.
 *
 * A tree that is sent as the file has it is without corrected times. `correctable` lists the metrics for which the document
 * "corrected" has them, per node of this tree.
 */
final class TreeDocument
{
    /**
     * Most call paths that are sent: a browser does not hold more. It is large enough for a run that reached the default of
     * xhprof.max_nodes: 1,000,000 nodes, and a sixteenth more that are named (truncated).
     */
    public const MAX_NODES = 1062516;

    /** Most nodes that are read, however much memory there is. */
    private const MAX_READ = 5000000;

    /** Bytes of memory per node for reading a tree and leaving out its small paths. */
    private const BYTES_PER_NODE = 640;

    /** Bytes of memory per node for computing the corrected times of a tree. */
    private const BYTES_PER_CORRECTED_NODE = 160;

    /** Setting of the operator for the most call paths that are sent. */
    public const MOST = 'XHPROF_TREE_NODES';

    private const LEAST = 10;

    public function __construct(private readonly ShownRun $shown)
    {
    }

    /**
     * @return Document|null null if one of the runs has no call tree
     * @throws HttpError 400 if there is no such part, 409 if it is a part of another version, 413 if the tree is too large
     */
    public function of(Request $request): ?Document
    {
        $run = $this->shown->run;
        if (!$run->has(Run::TREE)) {
            return null;
        }
        self::assertReadable($run, self::maxNodes());
        $most = self::most($request);
        $file = $request->has('root') ? null : $run->file();
        if ($file !== null && $file->count('tree.fn') <= $most) {
            return Document::stored('tree', $file, $this->about() + ['correctable' => $run->correctedMetrics()]);
        }
        $tree = $run->tree() ?? throw new HttpError(404, 'This run has no call tree: it was saved without its call paths.');
        if ($request->has('root')) {
            return $this->part($tree, $most, $request);
        }
        $timeline = $request->flag('timeline') && $run->has(Run::TIMELINE) ? $run->timeline() : null;
        $kept = array_keys(array_flip($timeline->node ?? []));
        $part = TreePart::select($tree, $most, '', $kept);
        $pruned = $part->nodes > 0 ? ['pruned' => self::pruned($part, $tree->count())] : [];

        return Document::made('tree', $this->about() + $pruned + $part->tree->toArray());
    }

    /**
     * @return Document|null the corrected times of each node of the whole tree, by metric; null if the run has none
     * @throws HttpError 409 if another version was asked for, 413 if the tree is too large
     */
    public function corrected(Request $request): ?Document
    {
        if ($request->has('version')) {
            self::assertVersion($this->version(), $request->text('version'));
        }
        $run = $this->shown->whole();
        $metrics = $run->correctedMetrics();
        $file = $run->file();
        if ($file === null || $metrics === []) {
            return null;
        }
        self::assertReadable($run, intdiv(PhpMemory::limit(), self::BYTES_PER_CORRECTED_NODE));
        // Reads only the columns that are needed, so that a large tree fits into memory.
        $data = ['names' => $file->texts('tree.names'), 'self' => []];
        $saved = $file->columns('tree.corrected');
        foreach (['fn', 'depth', 'ct', ...($saved === [] ? ['function_kind'] : [])] as $column) {
            $data[$column] = $file->column("tree.$column");
        }
        foreach ($saved as $metric) {
            $data['corrected'][$metric] = $file->column("tree.corrected.$metric");
        }
        foreach (array_unique(['wt', ...$metrics]) as $metric) {
            $data['self'][$metric] = $file->column("tree.self.$metric");
        }
        try {
            $tree = CorrectedTimes::addTo(CallTree::fromArray($data), $run->meta()->recording->overhead);
        } catch (InvalidProfile $e) {
            throw new DamagedRun("$run->path: {$e->getMessage()}", 0, $e);
        }

        return Document::made('corrected', $tree->corrected);
    }

    /** @return array<string, mixed> */
    private function about(): array
    {
        return ['metrics' => MetricList::ofTree($this->shown->counted()), 'version' => $this->version()]
            + ($this->shown->isMean() ? ['runs' => count($this->shown->ids)] : []);
    }

    /** Returns how many call paths are sent at most. */
    private static function most(Request $request): int
    {
        $setting = filter_var($request->setting(self::MOST), FILTER_VALIDATE_INT, ['options' => [
            'min_range' => self::LEAST,
            'max_range' => self::MAX_READ,
        ]]);

        return is_int($setting) ? $setting : self::MAX_NODES;
    }

    /** @throws HttpError 400 if there is no such part, 409 if it is a part of another version */
    private function part(CallTree $tree, int $most, Request $request): Document
    {
        self::assertVersion($this->version(), $request->text('version'));
        try {
            $part = TreePart::select($tree, $most, $request->text('root'));
        } catch (InvalidProfile $e) {
            throw new HttpError(400, "There is no part \"root\" of this run: {$e->getMessage()}.", $e);
        }
        $data = ['names' => []] + array_diff_key($part->tree->toArray(), $part->tree->places->toArray());

        return Document::made('tree', ['pruned' => self::pruned($part, $tree->count())] + $data);
    }

    /** @throws HttpError 409 if the versions differ */
    private static function assertVersion(string $version, string $wanted): void
    {
        if ($wanted !== $version) {
            throw new HttpError(409, 'This run has been saved anew. Reload the page.');
        }
    }

    /** @return array{nodes: int, of: int, name: string, origin: list<int>} */
    private static function pruned(TreePart $part, int $nodes): array
    {
        return ['nodes' => $part->nodes, 'of' => $nodes, 'name' => PrunedTree::NAME, 'origin' => $part->runs()];
    }

    private function version(): string
    {
        return substr(hash('sha256', $this->shown->run->version()), 0, 16);
    }

    /** @throws HttpError 413 if the tree is known to be larger */
    private static function assertReadable(Run $run, int $most): void
    {
        if ($run->nodes() > $most) {
            throw new HttpError(413, sprintf(
                'The call tree of the run %s is too large: it has %s call paths, and at most %s can be read here.',
                $run->id->id ?? $run->path,
                Units::count($run->nodes()),
                Units::count($most),
            ));
        }
    }

    /** Returns the number of nodes of the largest tree for which there is memory. */
    private static function maxNodes(): int
    {
        return max(self::MAX_NODES, min(self::MAX_READ, intdiv(PhpMemory::limit(), self::BYTES_PER_NODE)));
    }
}

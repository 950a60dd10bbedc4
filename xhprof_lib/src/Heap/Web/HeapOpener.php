<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Exception\DamagedSnapshot;
use XHProf\Exception\StoreError;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\SnapshotHead;
use XHProf\Heap\Snapshots;
use XHProf\Store\SnapshotName;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/**
 * Opens the index of the snapshot that a URL names, and builds it if it is missing: a small one at once, a large one after a
 * page that announces it, none for longer than a page may take.
 */
final class HeapOpener
{
    /** Bytes of a snapshot whose index is built without a page that announces it. */
    private const AT_ONCE = 12 << 20;

    /** Time limit of a page for an index, in seconds; less if PHP allows less. */
    public const PATIENCE = 25.0;

    /** Seconds of PHP's own limit reserved for the page itself. */
    private const REST = 4.0;

    /**
     * @param float $patience seconds that an index may take
     * @param bool $builds whether that of a large snapshot is made too, which takes seconds: only for a form of these pages
     */
    public function __construct(
        public readonly Snapshots $snapshots,
        private readonly float $patience = self::PATIENCE,
        private readonly bool $builds = false,
    ) {
    }

    /**
     * @param string $parameter that names the snapshot
     * @return string a name whose file is there
     * @throws HttpError 400, 404
     */
    public function named(Request $request, string $parameter): string
    {
        $name = $request->text($parameter);
        if (!SnapshotName::isName($name)) {
            $rule = "the name ($parameter) is not of A-Z a-z 0-9 _ - and dots between them";
            throw new HttpError(400, "This is not a heap snapshot: $rule.");
        }
        if ($this->snapshots->size($name) === null) {
            throw new HttpError(404, "There is no heap snapshot $name. It may have been deleted.");
        }

        return $name;
    }

    /**
     * @param string $name of named()
     * @throws HttpError 500 for a file that is no snapshot, or cannot be read
     * @throws IndexNotReady
     */
    public function open(string $name): HeapIndex
    {
        try {
            $file = $this->snapshots->open($name);
        } catch (StoreError $e) {
            throw new HttpError(500, "The heap snapshot $name cannot be read: " . $this->snapshots->publicText($e) . '.', $e);
        }
        $index = HeapIndex::find($file);
        if ($index !== null) {
            return $index;
        }
        $size = $file->size;
        $head = SnapshotHead::read($file);
        if ($head->header === []) {
            throw new HttpError(500, "The heap snapshot $name cannot be read: " . rtrim(lcfirst($head->damage), '.') . '.');
        }
        if ($size > self::AT_ONCE && !$this->builds) {
            throw new IndexNotReady($name, $size, false);
        }
        // PHP's limit counts what this request has taken already.
        $limit = (float) ini_get('max_execution_time');
        $until = microtime(true) + ($limit <= 0 ? $this->patience : min($this->patience, max(1.0, $limit - self::REST)));
        try {
            return HeapIndex::open($file, static function (string $what, int $done, int $total) use ($until, $name, $size): void {
                if (microtime(true) >= $until) {
                    throw new IndexNotReady($name, $size, true);
                }
            });
        } catch (DamagedSnapshot | StoreError $e) {
            throw new HttpError(500, "The heap snapshot $name cannot be read: " . $this->snapshots->publicText($e) . '.', $e);
        }
    }
}

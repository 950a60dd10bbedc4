<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\LeaksReport;
use XHProf\Report\Table;
use XHProf\Store\SnapshotName;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/** index.php?view=heap&heap=NAME&show=leaks: possible leaks. */
final class HeapLeaksPage extends HeapSnapshotPage
{
    private const ROWS = 30;

    public function respond(Request $request): Response
    {
        return $this->page('heap_leaks.html.twig', [
            'tables' => array_map(
                fn (Table $table): array => $this->cells->leaks($table->with(['none' => 'None.']))->toArray(),
                (new LeaksReport($this->cells->rows))->report($this->name . SnapshotName::SUFFIX, self::ROWS)->tables,
            ),
        ], 'leaks');
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\XHProfException;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Functions\FlatReport;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Report\FindingList;
use XHProf\Run\Run;
use XHProf\Web\Http\Url;

/** What to look at first in a run, with links. */
final class RunFindings
{
    /** Numbers of a tree from which operations are not read: reading it would delay the page. */
    private const LARGE = 2 << 20;

    /**
     * @param FlatReport|null $report of the run, a recursion as one function, if it is there already
     * @return array{list: FindingList, urls: list<string>}|null null of the mean of several, and of a range of time
     */
    public static function describe(ShownRun $set, ?FlatReport $report = null): ?array
    {
        if ($set->isMean() || $set->range !== null) {
            return null;
        }
        $found = Findings::of(
            $set->run,
            $report,
            static fn (): ?MemoryProfile => self::read(static fn (): ?MemoryProfile => $set->run->memory()),
            static fn (): ?OperationReport => $set->run->numbers(Run::TREE) > self::LARGE
                ? null
                : self::read(static fn (): ?OperationReport => $set->run->operations()),
        );
        $url = static fn (Finding $finding): string => self::url($set, $finding);

        return ['list' => Findings::list($found), 'urls' => array_map($url, $found)];
    }

    private static function url(ShownRun $set, Finding $finding): string
    {
        return Url::index($set->parameters() + match (true) {
            $finding->path !== [] && $finding->view === 'memory' => self::live($finding->path),
            $finding->view === '' => Url::symbolParameter($finding->symbol),
            default => ['view' => $finding->view, 'operation' => $finding->operation],
        }) . ($finding->operation === '' ? '' : '#operation');
    }

    /**
     * @param list<string> $path from the outermost function
     * @return array<string, ?string> parameters of the flame graph of live memory, zoomed to the path
     */
    public static function live(array $path): array
    {
        return ['view' => 'flame', 'metric' => 'live_bytes', 'root' => PathMark::encode($path)]
            + Url::symbolParameter($path[count($path) - 1] ?? '', 'sel');
    }

    /**
     * @template T of object
     * @param \Closure(): ?T $read
     * @return T|null null also of a file that is damaged, or was deleted meanwhile: the page of its contents says so
     */
    private static function read(\Closure $read): ?object
    {
        try {
            return $read();
        } catch (XHProfException) {
            return null;
        }
    }
}

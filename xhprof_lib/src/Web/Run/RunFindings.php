<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\XHProfException;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Functions\FlatReport;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Report\Finding as Shown;
use XHProf\Report\FindingList;
use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/**
 * What to look at first in a run, with links, and what pictures show of it.
 *
 * @phpstan-type Pictures list<array{label: string, url: string, current: bool}>
 */
final class RunFindings
{
    /** Numbers of a tree from which operations are not read: reading it would delay the page. */
    private const LARGE = 2 << 20;

    /** The parameter with Finding::id() of the finding whose calls a picture shows. */
    public const LIT = 'lit';

    /**
     * @param FlatReport|null $report of the run, a recursion as one function, if it is there already
     * @return array{list: FindingList, urls: list<string>, pictures: list<Pictures>}|null null of the mean of several, and of a
     *     range of time
     */
    public static function describe(ShownRun $set, ?FlatReport $report = null): ?array
    {
        if ($set->isMean() || $set->range !== null) {
            return null;
        }
        $found = self::find($set->run, $report);

        return [
            'list' => Findings::list($found),
            'urls' => array_map(static fn (Finding $finding): string => self::url($set, $finding), $found),
            'pictures' => array_map(static fn (Finding $finding): array => self::pictures($set, $finding, ''), $found),
        ];
    }

    /**
     * The finding in the address (`lit`), whose calls a picture shows.
     *
     * @param string $view that has the picture
     * @return array{finding: Shown|null, url: string, pictures: Pictures, off_url: string, calls: string}|null null where none is
     *     asked for; finding: null for one that this run has not; calls: JSON, which assets/js/profile/lit.js reads
     */
    public static function lit(ShownRun $set, Request $request, string $view): ?array
    {
        $id = $request->text(self::LIT);
        if ($id === '') {
            return null;
        }
        $found = $set->isMean() ? [] : self::find($set->whole(), null);
        $finding = array_values(array_filter($found, static fn (Finding $one): bool => $one->id() === $id))[0] ?? null;
        $kept = ['view' => $view] + $set->parameters() + ViewState::parameters($request);

        return [
            'finding' => $finding?->shown(),
            'url' => $finding === null ? '' : self::url($set, $finding),
            'pictures' => $finding === null ? [] : self::pictures($set, $finding, $view),
            'off_url' => Url::index([self::LIT => null] + $kept),
            'calls' => $finding === null ? '' : self::calls($finding),
        ];
    }

    /** The calls of all findings, for pictures that a server does not make: JSON, a list of what lit() has as calls, each with its text. */
    public static function allCalls(ShownRun $set): string
    {
        $found = $set->isMean() ? [] : self::find($set->whole(), null);

        return '[' . implode(',', array_map(self::calls(...), $found)) . ']';
    }

    private static function calls(Finding $finding): string
    {
        $calls = $finding->calls();

        return json_encode([
            'id' => $finding->id(),
            'words' => $finding->shown()->text . ($finding->symbol === '' ? '' : ", $finding->symbol"),
            // A path of main() alone has no mark.
            'functions' => [...$calls->functions, ...array_merge(...array_filter($calls->paths, static fn (array $path): bool
                => count($path) === 1))],
            'below' => $calls->below,
            'prefixes' => $calls->prefixes,
            'paths' => array_values(array_filter(array_map(PathMark::encode(...), $calls->paths), is_string(...))),
        ], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }

    /** @return Pictures views that show the calls of a finding */
    private static function pictures(ShownRun $set, Finding $finding, string $current): array
    {
        $views = array_filter([
            'timeline' => !$set->isMean() && ($set->shows(Run::TIMELINE) || $set->shows(Run::SAMPLES)) ? 'timeline' : null,
            'flame' => $set->run->has(Run::TREE) ? 'flame graph' : null,
        ]);
        $selected = Url::symbolParameter($finding->symbol, 'sel');

        return array_map(static fn (string $view, string $label): array => [
            'label' => $label,
            'url' => Url::index($set->parameters() + ['view' => $view, self::LIT => $finding->id()] + $selected),
            'current' => $view === $current,
        ], array_keys($views), $views);
    }

    /** @return list<Finding> */
    private static function find(Run $run, ?FlatReport $report): array
    {
        return Findings::of(
            $run,
            $report,
            static fn (): ?MemoryProfile => self::read(static fn (): ?MemoryProfile => $run->memory()),
            static fn (): ?OperationReport => $run->numbers(Run::TREE) > self::LARGE
                ? null
                : self::read(static fn (): ?OperationReport => $run->operations()),
        );
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

<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\InvalidJsonFile;
use XHProf\Format\VisibleName;
use XHProf\Owners\GroupBy;
use XHProf\Owners\Grouping;
use XHProf\Owners\GroupsReport;
use XHProf\Owners\OwnerTable;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/**
 * By what the functions of a run are added up in an address (`groups`, and `group`: one of them), and the links that choose it.
 * The order of a call tree is `by` already.
 */
final class RunGroups
{
    /** Parameters of a page of functions. */
    public const NONE = ['groups' => null, 'group' => null];

    /** Values of `view` of the pages that show groups too. */
    private const VIEWS = ['', 'graph', 'calltree', 'flame', 'sandwich', 'symbol', 'whatif'];

    /** What api.php answers of whole runs alone. */
    private const WHOLE = ['samples', 'timeline', 'operations', 'kinds', 'export', 'findings', 'runs'];

    private const LONGEST = 200;

    /** Whether a view shows groups. */
    public static function has(?string $view): bool
    {
        return $view === null || in_array($view, self::VIEWS, true);
    }

    /**
     * @return Grouping|null null where functions are shown
     * @throws HttpError 400 for a word that is none, or without a table of owners; 500 if the operator's table is wrong
     */
    public static function fromRequest(Request $request): ?Grouping
    {
        $text = $request->text('groups');
        $isOfWhole = in_array($request->text('get'), self::WHOLE, true);
        if ($text === '' || $isOfWhole || !self::has($request->text('view'))) {
            return null;
        }
        $by = GroupBy::tryFrom($text) ?? throw new HttpError(
            400,
            rtrim('The parameter "groups" ' . GroupBy::refusal(VisibleName::text($text, self::LONGEST)), '?') . '.',
        );
        $one = $request->text('group');

        return new Grouping($by, $by === GroupBy::Owner ? self::owners($request) : null, $one === '' ? null : $one);
    }

    /** @return array<string, ?string> parameters of an address */
    public static function parameters(?Grouping $grouping): array
    {
        return ['groups' => $grouping?->by->value, 'group' => $grouping?->one];
    }

    /** @return string changes when the table of owners does that an answer is made with */
    public static function version(Request $request): string
    {
        return self::fromRequest($request)?->key() ?? '';
    }

    /**
     * @param array<string, string|int|bool|null> $state parameters of the page
     * @return non-empty-list<array{label: string, by: ?string, url: string, current: bool}>
     */
    public static function links(?Grouping $grouping, Request $request, array $state): array
    {
        $current = $grouping?->by;
        $links = [['label' => 'Function', 'by' => null, 'url' => Url::index(self::NONE + $state), 'current' => $current === null]];
        foreach (GroupBy::cases() as $by) {
            if ($by !== GroupBy::Owner || $request->setting(OwnerTable::FILE) !== '') {
                $links[] = [
                    'label' => ucfirst($by->noun()),
                    'by' => $by->value,
                    'url' => Url::index(['groups' => $by->value, 'group' => null, 'levels' => null] + $state),
                    'current' => $current === $by && ($grouping->one ?? null) === null,
                ];
            }
        }

        return $links;
    }

    /**
     * @return array{by: string, help: string, estimate: ?string, one: ?string, all_url: string, calls_url: ?string}|null null where
     *     functions are shown
     */
    public static function describe(ShownRun $set): ?array
    {
        $grouping = $set->grouping;
        if ($grouping === null) {
            return null;
        }
        $all = ['group' => null] + $set->parameters();

        return [
            'by' => $grouping->by->noun(),
            'help' => $grouping->by->help(),
            'estimate' => GroupsReport::estimate($set->run),
            'one' => $grouping->one,
            'all_url' => Url::index($all),
            'calls_url' => $grouping->one === null ? null : Url::index($all + Url::symbolParameter($grouping->one)),
        ];
    }

    private static function owners(Request $request): OwnerTable
    {
        $file = $request->setting(OwnerTable::FILE);
        if ($file === '') {
            throw new HttpError(400, 'These pages have no table of owners: the variable ' . OwnerTable::FILE . ' names its file.');
        }
        try {
            return OwnerTable::ofFile($file);
        } catch (InvalidJsonFile $e) {
            throw new HttpError(500, OwnerTable::FILE . ": {$e->getMessage()}.", $e);
        }
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/** The table of all pages: it chooses the one of a request, and makes the tabs between the views of a subject. */
final class PageTable
{
    /** @param list<PageDefinition> $all */
    public function __construct(private readonly array $all)
    {
    }

    /** The page that a request names; with an unknown view it is the one that the subject has without a view. */
    public function page(Request $request): PageDefinition
    {
        $subject = Subject::named($request);
        $ofSubject = array_filter($this->all, static fn (PageDefinition $one): bool => $one->subject === $subject);
        foreach ([$request, $request->with('view', '')] as $asked) {
            foreach ($ofSubject as $one) {
                if ($one->matches($asked)) {
                    return $one;
                }
            }
        }
        throw new HttpError(404, 'There is no such page.');
    }

    /**
     * The class that answers a form, which only `view` names.
     *
     * @return class-string<StorePage>
     * @throws HttpError
     */
    public function form(Request $request): string
    {
        foreach ($this->all as $one) {
            if ($one->form !== null && $one->view === $request->text('view')) {
                return $one->form;
            }
        }
        throw new HttpError(405, 'This page only answers to GET.');
    }

    /**
     * @param array<string, string|int|bool|null> $parameters that name the subject
     * @param array<string, ?string> $shared see ViewState
     * @param string $current view whose tab is the current one; in a comparison it has a tab whatever is missing
     * @return list<array{label: string, url: string, current: bool, key: string, keep: string}>
     */
    public function tabs(Subject $subject, array $parameters, array $shared, string $current, ShownRun ...$runs): array
    {
        $views = array_filter($this->all, static fn (PageDefinition $one): bool => $one->subject === $subject && $one->tab !== '');
        $ordered = array_filter($views, static fn (PageDefinition $one): bool => $one->view === $current && $one->ownOrder);
        $hasOwnOrder = $ordered !== [];
        $tabs = [];
        foreach ($views as $one) {
            if ($one->isOf(...$runs) || ($subject === Subject::Comparison && $one->view === $current)) {
                $tabs[] = [
                    'label' => $one->tab,
                    'url' => Url::index(
                        (RunGroups::has($one->view) ? [] : RunGroups::NONE) + $parameters + ['view' => $one->view] + $shared,
                    ),
                    'current' => $one->view === $current,
                    'key' => $one->key,
                    // A call path is the zoomed frame, or the selected row.
                    'keep' => $hasOwnOrder ? '' : 'sort dir levels root',
                ];
            }
        }

        return $tabs;
    }

    /**
     * The views that a run does not have.
     *
     * @return list<array{label: string, url: string, why: string}> none of the mean of several runs
     */
    public function missing(ShownRun $set): array
    {
        $missing = [];
        foreach ($set->isMean() ? [] : $this->all as $one) {
            if ($one->subject === Subject::Run && $one->tab !== '' && !$one->isOf($set)) {
                $missing[] = [
                    'label' => $one->tab,
                    'url' => Url::index(RunGroups::NONE + $set->parameters() + ['view' => $one->view]),
                    'why' => MissingPart::why($one->needs[0] ?? '', $set->whole()),
                ];
            }
        }

        return $missing;
    }

    /** The label of a view's tab, also where a run does not have the view. */
    public function label(Subject $subject, string $view): string
    {
        foreach ($this->all as $one) {
            if ($one->subject === $subject && $one->view === $view && $one->tab !== '') {
                return $one->tab;
            }
        }

        return '';
    }

    /**
     * The page of a file of its own: "callgraph.php".
     *
     * @return class-string<StorePage>
     */
    public function file(string $name): string
    {
        foreach ($this->all as $one) {
            if ($one->subject === Subject::File && $one->view === $name) {
                return $one->page;
            }
        }
        throw new HttpError(404, 'There is no such page.');
    }

    /** The table of the documentation, in Markdown. */
    public function markdown(): string
    {
        $lines = array_map(static fn (PageDefinition $one): string => "| `$one->text` | $one->about |\n", $this->all);

        return "| Address | Page |\n|---|---|\n" . implode('', $lines);
    }
}

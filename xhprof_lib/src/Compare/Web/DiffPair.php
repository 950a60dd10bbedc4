<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\DiffReport;
use XHProf\Exception\InvalidNameRule;
use XHProf\Functions\CountKind;
use XHProf\Owners\Grouping;
use XHProf\Profile\NameRules;
use XHProf\Run\Exemplars;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\PageTable;
use XHProf\Web\Run\RunGroups;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShareLinks;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\Subject;
use XHProf\Web\Run\ViewState;

/** The two sides of a comparison in an address, and the head of its pages; each side may be the mean of several runs. */
final class DiffPair
{
    /** What is said where only one side is named. */
    public const INCOMPLETE = 'A comparison needs two runs: run1 (before) and run2 (after).';

    /** @param ShownRun $before its functions have the names that they have after */
    private function __construct(
        public readonly ShownRun $before,
        public readonly ShownRun $after,
        public readonly DiffReport $report,
        private readonly bool $isExact,
        private readonly PageTable $pages,
        public readonly ?Grouping $grouping = null,
    ) {
    }

    /**
     * Opens the runs that the parameters run1, run2, source, source1, source2 and levels name. names=exact matches no functions
     * whose names differ, groups=G compares what they belong to.
     *
     * @throws HttpError 400 if one of them is missing, and as RunOpener::open(); 500 if the operator's rules for names are wrong
     */
    public static function named(Request $request, RunOpener $runs): self
    {
        if (!$request->has('run1') || !$request->has('run2')) {
            throw new HttpError(400, self::INCOMPLETE);
        }
        $source = $request->text('source');
        $levels = $request->flag('levels');
        $before = $runs->open($request->text('run1'), $request->text('source1', $source), levels: $levels);
        $after = $runs->open($request->text('run2'), $request->text('source2', $source), levels: $levels);
        $grouping = RunGroups::fromRequest($request->with('group', ''));
        [$before, $after] = [$before->grouped($grouping), $after->grouped($grouping)];
        $isExact = $request->text('names') === 'exact' && $grouping === null;
        try {
            $rules = $isExact || $grouping !== null ? null : NameRules::ofFile($request->setting(NameRules::FILE));
        } catch (InvalidNameRule $e) {
            throw new HttpError(500, $e->getMessage());
        }
        $noun = $grouping?->by->noun() ?? 'function';
        $report = DiffReport::between($before->run, $after->run, $levels && $grouping === null, $rules, $noun);

        return new self($before->under($report->a), $after, $report, $isExact, $runs->pages, $grouping);
    }

    public function counted(): CountKind
    {
        return $this->report->counted();
    }

    /**
     * The head of each view: the two sides, notes, what changed in sentences whose functions are links, and the tabs.
     *
     * @param string $current value of `view`
     * @param array<string, string|int|bool|null> $state further parameters that the page itself keeps when sides are swapped
     * @return array<string, mixed> for diff_top.html.twig
     */
    public function top(Request $request, string $current, array $state = []): array
    {
        $metric = DiffTable::metric($request, $this->report->metrics());
        $shared = ViewState::parameters($request, $this->report->metrics());
        $state = ['view' => $current] + $state + $shared;
        $parameters = $this->parameters();
        $part = static fn (array $part): array => ['text' => $part['text'], 'url' => $part['symbol']
            ? Url::index($parameters + ['metric' => $metric] + Url::symbolParameter($part['text']) + $shared)
            : null];
        // The command or URL of the first run of several.
        $side = static fn (ShownRun $set): array => RunHeader::describe($set)
            + ['what' => $set->isMean() ? $set->run->meta()->titleOr($set->ids[0]->id) : ''];
        $renamed = count($this->report->renamed);

        return [
            'before' => $side($this->before),
            'after' => $side($this->after),
            'counted' => $this->counted(),
            'side_words' => $this->sides(),
            'verdict' => array_map(static fn (array $sentence): array
                => ['parts' => array_map($part, $sentence['parts'])] + $sentence, $this->report->verdict($metric)),
            'notes' => array_map(static fn (string $note): string => "$note.", $this->report->notes()),
            'tabs' => $this->pages->tabs(Subject::Comparison, $parameters, $shared, $current, $this->before, $this->after),
            // The switch for functions whose names differ.
            'names' => $renamed === 0 && !$this->isExact ? null : [
                'shown' => $this->isExact,
                'count' => $renamed,
                'url' => Url::index(['names' => $this->isExact ? null : 'exact'] + $parameters + $state),
            ],
            'diff_url' => Url::index($parameters + $shared),
            'share' => ShareLinks::of($parameters, $request, false),
            'csv_url' => Url::api('export', ['format' => 'csv'] + RunGroups::NONE + $parameters),
            'swap_url' => Url::index($this->parameters(isSwapped: true) + $state),
        ];
    }

    /**
     * @param array<string, string|int|bool|null> $state parameters of the page besides those of the comparison
     * @return array{shown: bool, url: string}|null null if no function calls itself
     */
    public function levelsSwitch(array $state): ?array
    {
        $parameters = $this->parameters() + $state;

        return RunHeader::levels($this->before, $parameters) ?? RunHeader::levels($this->after, $parameters);
    }

    /** The trend of a function over all runs of the comparison, null if they are of two sources. */
    public function trendUrl(string $symbol): ?string
    {
        $named = Url::symbolField($symbol);
        $ids = implode(',', array_unique(explode(',', $this->before->idText() . ',' . $this->after->idText())));

        return isset($named['symbol_hash']) || $this->before->source() !== $this->after->source()
            ? null
            : Url::index(['view' => 'trend', 'source' => $this->before->source(), 'runs' => $ids] + $named);
    }

    /**
     * What the sides are, for heads: one request of a window is no run after the mean of all.
     *
     * @return array{a: string, b: string, of_a: string, of_b: string} alone, and as what something is a part of
     */
    public function sides(): array
    {
        [$a, $b] = [$this->before->ids[0], $this->after->ids[0]];
        $window = $this->before->isMean() || $this->after->isMean() ? null : Exemplars::windowOf($b);
        if ($window === null || !Exemplars::isUsual($a) || Exemplars::isUsual($b)) {
            [$began, $later] = array_map(self::began(...), [$this->before->run, $this->after->run]);
            if ($began !== null && $later !== null && $later < $began) {
                // B is not what came after A: the reader has put them in this order.
                return ['a' => 'A', 'b' => 'B', 'of_a' => 'run A', 'of_b' => 'run B'];
            }

            return ['a' => 'Before', 'b' => 'After', 'of_a' => 'the run before', 'of_b' => 'the run after'];
        }

        return ['a' => 'Mean', 'b' => 'This request', 'of_a' => 'the mean', 'of_b' => 'this request'];
    }

    /** When the first of the runs of a side began, seconds since 1970; null where that is not known. */
    private static function began(Run $run): ?float
    {
        $times = array_filter(array_map(static fn (RunMeta $meta): ?float => $meta->ts, $run->metas()), is_float(...));

        return $times === [] ? null : min($times);
    }

    /** @return array<string, ?string> parameters of index.php that name this comparison, or the one in the other direction */
    public function parameters(bool $isSwapped = false): array
    {
        [$a, $b] = $isSwapped ? [$this->after, $this->before] : [$this->before, $this->after];
        $runs = ['run1' => $a->repeatedIdText(), 'run2' => $b->repeatedIdText()]
            + ['levels' => $this->report->levels ? '1' : null, 'names' => $this->isExact ? 'exact' : null]
            + RunGroups::parameters($this->grouping);

        return $a->source() === $b->source()
            ? $runs + ['source' => $a->source()]
            : $runs + ['source1' => $a->source(), 'source2' => $b->source()];
    }
}

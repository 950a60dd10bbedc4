<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\Comparability;
use XHProf\Compare\DiffReport;
use XHProf\Compare\MachineTime;
use XHProf\Compare\Noise;
use XHProf\Exception\InvalidNameRule;
use XHProf\Functions\CountKind;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\NameMatch;
use XHProf\Profile\NameRules;
use XHProf\Run\Exemplars;
use XHProf\Run\Run;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\Addresses;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Table\ShownMetric;

/** The two sides of a comparison; each may be the mean of several runs. */
final class DiffPair
{
    /** What is said where only one side is named. */
    public const INCOMPLETE = 'A comparison needs two runs: run1 (before) and run2 (after).';

    private ?DiffReport $report = null;

    private ?Noise $noise = null;

    /**
     * @param ShownRun $before its functions have the names that they have after
     * @param array<string, string> $renamed names before => after, where they differ: see NameMatch
     * @param bool $exact whether functions are the same only under the same name
     */
    private function __construct(
        public readonly ShownRun $before,
        public readonly ShownRun $after,
        public readonly array $renamed,
        public readonly bool $exact,
        public readonly Addresses $addresses,
    ) {
    }

    /**
     * Opens the runs that the parameters run1, run2, source, source1, source2 and levels name. names=exact matches no functions
     * whose names differ.
     *
     * @param bool $statistics with the spread of several runs of a side
     * @throws HttpError 400 if one of them is missing, and as Runs::open()
     */
    public static function named(Request $request, Runs $runs, bool $statistics = false): self
    {
        if (!$request->has('run1') || !$request->has('run2')) {
            throw new HttpError(400, self::INCOMPLETE);
        }
        $source = $request->text('source');

        $how = ['statistics' => $statistics, 'levels' => $request->flag('levels')];
        $before = $runs->open($request->text('run1'), $request->text('source1', $source), ...$how);
        $after = $runs->open($request->text('run2'), $request->text('source2', $source), ...$how);

        $exact = $request->text('names') === 'exact';
        $map = $exact ? [] : NameMatch::of(
            $before->run->profile(),
            $after->run->profile(),
            $before->run->treeNames(),
            $after->run->treeNames(),
            self::rules($request),
        );

        return new self($before->renamed($map), $after, $map, $exact, $runs->addresses);
    }

    /** @throws HttpError 500 if the operator's rules are wrong */
    private static function rules(Request $request): NameRules
    {
        try {
            return NameRules::ofFile($request->setting(NameRules::FILE));
        } catch (InvalidNameRule $e) {
            throw new HttpError(500, $e->getMessage());
        }
    }

    /** The name that a function has in this comparison: that of after, for a name of before. */
    public function nameOf(string $symbol): string
    {
        return $this->after->run->profile()->hasSymbol($symbol) ? $symbol : EdgeKey::renamed($symbol, $this->renamed);
    }

    /**
     * The switch for functions whose names differ.
     *
     * @param array<string, string|int|bool|null> $state parameters of the page besides those of the comparison
     * @return array{shown: bool, count: int, url: string}|null null if there are none
     */
    public function namesSwitch(array $state): ?array
    {
        return $this->renamed === [] && !$this->exact ? null : [
            'shown' => $this->exact,
            'count' => count($this->renamed),
            'url' => Url::index(['names' => $this->exact ? null : 'exact'] + $this->parameters() + $state),
        ];
    }

    /** Whether each level of a recursion is shown as a function of its own. */
    public function levels(): bool
    {
        return $this->before->levels;
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

    public function report(): DiffReport
    {
        return $this->report ??= DiffReport::of(
            $this->before->run->profile(),
            $this->after->run->profile(),
            !$this->levels(),
            $this->renamed,
        );
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
            return ['a' => 'Before', 'b' => 'After', 'of_a' => 'the run before', 'of_b' => 'the run after'];
        }

        return ['a' => 'Mean', 'b' => 'This request', 'of_a' => 'the mean', 'of_b' => 'this request'];
    }

    public function counted(): CountKind
    {
        return CountKind::of($this->before->run, $this->after->run);
    }

    public function noise(): Noise
    {
        if ($this->noise !== null) {
            return $this->noise;
        }
        $report = $this->report();
        $machine = MachineTime::of(
            $report,
            $this->before->run->meta(),
            $this->after->run->meta(),
            $this->before->run->operations(...),
            $this->after->run->operations(...),
        );

        $isSampled = !$this->counted()->isCalls();

        return $this->noise = new Noise($report, $this->before->statistics, $this->after->statistics, $isSampled, $machine);
    }

    public function swapped(): self
    {
        return new self($this->after, $this->before, [], $this->exact, $this->addresses);
    }

    /**
     * Differences that make the two hard to compare, as sentences. For a mean the first run's metadata counts.
     *
     * @return list<string>
     */
    public function notes(): array
    {
        $known = Comparability::of($this->before->run, $this->after->run);
        $notes = $known->recording === null ? [] : ["$known->recording."];
        $both = array_intersect(array_map(strval(...), $this->before->ids), array_map(strval(...), $this->after->ids));
        if ($both !== [] && ($this->before->isMean() || $this->after->isMean())) {
            $notes[] = count($both) === 1 ? 'One run is on both sides.' : count($both) . ' runs are on both sides.';
        }
        $left = ShownMetric::list([...$known->onlyA, ...$known->onlyB]);
        if ($left !== []) {
            $labels = array_map(static fn (ShownMetric $metric): string => $metric->label, $left);
            $notes[] = 'Left out, because only one side has it: ' . implode(', ', $labels) . '.';
        }

        return $notes;
    }

    /** @return array<string, ?string> parameters of index.php that name this comparison */
    public function parameters(): array
    {
        $runs = ['run1' => $this->before->repeatedIdText(), 'run2' => $this->after->repeatedIdText()]
            + ['levels' => $this->levels() ? '1' : null, 'names' => $this->exact ? 'exact' : null];

        return $this->before->source() === $this->after->source()
            ? $runs + ['source' => $this->before->source()]
            : $runs + ['source1' => $this->before->source(), 'source2' => $this->after->source()];
    }
}

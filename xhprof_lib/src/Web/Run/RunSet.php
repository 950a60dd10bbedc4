<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Report\Counted;
use XHProf\Report\Statistics;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Web\Http\Url;

/** The run, or the mean of several runs, shown by a page. */
final class RunSet
{
    /** Null until it is read: that of a large run takes a while, and not every page needs it. */
    private ?Profile $known;

    /** @var \Closure(): Profile */
    private readonly \Closure $read;

    /**
     * @param non-empty-list<RunId> $ids all of one source
     * @param list<int> $weights one per id, [] when all count alike
     * @param Profile|\Closure(): Profile $profile
     * @param RunMeta $meta of the first run
     * @param string|null $uncorrected why corrected times are not shown although they were asked for
     * @param Statistics|null $statistics of several runs, where the page asked for it
     * @param bool $levels whether each level of a recursion (f, f@1, f@2) is to be shown as a function of its own
     * @param bool $corrected whether the profile has corrected times, as long as it has not been read
     * @param RunRange|null $range the range of time that is shown; null for the whole run
     */
    public function __construct(
        public readonly array $ids,
        public readonly array $weights,
        Profile|\Closure $profile,
        public readonly RunMeta $meta,
        public readonly ?string $uncorrected = null,
        public readonly ?Statistics $statistics = null,
        public readonly bool $levels = false,
        private readonly bool $corrected = false,
        public readonly ?RunRange $range = null,
    ) {
        $this->known = $profile instanceof Profile ? $profile : null;
        $this->read = $profile instanceof Profile ? static fn (): Profile => $profile : $profile;
    }

    /** The edges; read at the first call where the set was made with a closure, whose errors it throws. */
    public function profile(): Profile
    {
        return $this->known ??= ($this->read)();
    }

    /** @return list<string> base keys that the address may name: those of the profile, or all while they are not known */
    public function metrics(): array
    {
        return $this->knownMetrics() ?? array_keys(Metrics::all());
    }

    /** @return list<string>|null the metrics of the profile where they are known without reading it */
    public function knownMetrics(): ?array
    {
        return $this->hasSavedTotals() || $this->known !== null ? $this->recorded() : null;
    }

    /** @return list<string> the metrics of the profile, without reading it where the metadata names them */
    public function recorded(): array
    {
        if ($this->known !== null || !$this->hasSavedTotals()) {
            return $this->profile()->metrics();
        }
        $metrics = array_values(array_filter(array_keys($this->meta->totals), static fn (string $name): bool
            => $name !== 'ct' && Metrics::isName($name)));
        $corrected = $this->corrected ? array_filter($metrics, Metrics::isCorrectable(...)) : [];

        return Metrics::ordered([...$metrics, ...array_map(Metrics::corrected(...), array_values($corrected))]);
    }

    /** The total of a metric, 0 if there is none; without reading the profile where the metadata has it. */
    public function total(string $metric): int|float
    {
        return $this->known === null && isset($this->meta->totals[$metric]) && $this->hasSavedTotals()
            ? $this->meta->sampledTotal($metric) ?? $this->meta->totals[$metric]
            : $this->profile()->totals()[$metric] ?? 0;
    }

    /**
     * The address of a function of the call tree; null if it has no page: frames of added up paths and of other threads have
     * none, and the top-level code of files need not have one.
     */
    public function functionUrl(string $name): ?string
    {
        $has = $this->known?->hasSymbol($name) ?? !(str_starts_with($name, '(') || str_starts_with($name, 'run_init::'));

        return $has ? Url::index($this->parameters() + Url::symbolParameter($name)) : null;
    }

    private function hasSavedTotals(): bool
    {
        return !$this->isAggregate() && $this->meta->totals !== [] && !($this->range->isFollowed ?? false);
    }

    /**
     * @param array<string, string> $map as Profile::renamed() takes it
     *
     * @return self the same runs, whose functions have these names
     */
    public function renamed(array $map): self
    {
        return $map === [] ? $this : new self(
            $this->ids,
            $this->weights,
            $this->profile()->renamed($map),
            $this->meta,
            $this->uncorrected,
            $this->statistics?->renamed($map),
            $this->levels,
            $this->corrected,
            $this->range,
        );
    }

    /** The same for a view that shows the whole run, and whose links keep the range that the others show. */
    public function besides(RunRange $range): self
    {
        return new self(
            $this->ids,
            $this->weights,
            $this->known ?? $this->read,
            $this->meta,
            $this->uncorrected,
            $this->statistics,
            $this->levels,
            $this->corrected,
            $range->notFollowed(),
        );
    }

    public function counted(): Counted
    {
        return Counted::of($this->meta);
    }

    public function isAggregate(): bool
    {
        return count($this->ids) > 1;
    }

    public function source(): string
    {
        return $this->ids[0]->source;
    }

    /** The ids as the `run` parameter takes them. */
    public function idText(): string
    {
        return implode(',', array_map(static fn (RunId $id): string => $id->id, $this->ids));
    }

    /** The ids, each repeated by its weight: for the parameters of a comparison, which has no weights. */
    public function repeatedIdText(): string
    {
        $ids = '';
        foreach ($this->ids as $index => $runId) {
            $ids .= str_repeat(",$runId->id", $this->weights[$index] ?? 1);
        }

        return ltrim($ids, ',');
    }

    /** The command or URL that was profiled, as bytes to be made visible. */
    public function title(): string
    {
        return $this->isAggregate()
            ? sprintf('Mean of %d runs', count($this->ids))
            : Runs::title($this->meta, $this->ids[0]);
    }

    /** Whether the profile has corrected times beside the raw ones. */
    public function isCorrected(): bool
    {
        return $this->known === null
            ? $this->corrected
            : array_filter($this->known->metrics(), Metrics::isCorrected(...)) !== [];
    }

    /** @return array<string, ?string> parameters of index.php that name this set */
    public function parameters(): array
    {
        return [
            'run' => $this->idText(),
            'source' => $this->source(),
            'wts' => $this->weights === [] ? null : implode(',', $this->weights),
            'corrected' => $this->isCorrected() ? '1' : null,
            'levels' => $this->levels ? '1' : null,
        ] + ($this->range?->parameters() ?? []);
    }

    /** @return array<string, ?string> the same without a range of time */
    public function wholeParameters(): array
    {
        return array_diff_key($this->parameters(), $this->range?->parameters() ?? []);
    }
}

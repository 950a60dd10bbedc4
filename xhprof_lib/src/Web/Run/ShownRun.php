<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Functions\CountKind;
use XHProf\Owners\GroupedRun;
use XHProf\Owners\Grouping;
use XHProf\Profile\Metrics;
use XHProf\Run\MeanRun;
use XHProf\Run\PartOfRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Web\Http\Url;

/** The run, or the mean of several, that an address names, and how it asks for it: what links of its page repeat. */
final class ShownRun
{
    /**
     * @param non-empty-list<RunId> $ids     all of one source
     * @param list<int>             $weights one per id, [] when all count alike
     * @param bool                  $levels  whether each level of a recursion (f, f@1, f@2) is to be shown as a function of its own
     * @param RunRange|null         $range   the range of time that is asked for; null for the whole run
     * @param bool                  $isCorrected whether corrected times are asked for
     * @param Grouping|null         $grouping by what its functions are added up
     * @param Run|null              $plain the run with its functions, where they are added up
     */
    public function __construct(
        public readonly Run $run,
        public readonly array $ids,
        public readonly array $weights = [],
        public readonly bool $levels = false,
        public readonly ?RunRange $range = null,
        private readonly bool $isCorrected = false,
        public readonly ?Grouping $grouping = null,
        private readonly ?Run $plain = null,
    ) {
    }

    /** Returns the whole run, also if a range of its time is shown. */
    public function whole(): Run
    {
        $run = $this->plain ?? $this->run;

        return $run instanceof PartOfRun ? $run->whole : $run;
    }

    /** Whether the whole run has a part: see Run::has(). A short sampled run may have no sample. */
    public function shows(string $part): bool
    {
        $run = $this->whole();

        return $run->has($part) && ($part !== Run::SAMPLES || $run->meta()->recording->samples !== 0);
    }

    /** Whether each of the runs has a part: a comparison has the mean of what a single run shows. */
    public function eachShows(string $part): bool
    {
        $run = $this->whole();
        if (!$run instanceof MeanRun || $part === Run::TREE) {
            return $this->shows($part);
        }
        foreach ($run->open as $open) {
            if (!$open()->has($part)) {
                return false;
            }
        }

        return true;
    }

    /**
     * The address of a function of the call tree; null if it has no page: frames of added up paths and of other threads have
     * none, and the top-level code of files need not have one.
     */
    public function functionUrl(string $name): ?string
    {
        $has = $this->run->knownProfile()?->hasSymbol($name)
            ?? !(str_starts_with($name, '(') || str_starts_with($name, 'run_init::'));

        return $has ? Url::index($this->parameters() + Url::symbolParameter($name)) : null;
    }

    /** Returns this with its functions added up. */
    public function grouped(?Grouping $grouping): self
    {
        return $grouping === null ? $this : new self(...[
            'run' => GroupedRun::of($this->run, $grouping), 'levels' => false, 'grouping' => $grouping, 'plain' => $this->run,
        ] + get_object_vars($this));
    }

    /** What a row of its functions is: "function", "plug-in". */
    public function noun(): string
    {
        return $this->grouping === null || $this->grouping->one !== null ? 'function' : $this->grouping->by->noun();
    }

    /** Returns this with its functions, if they are added up. */
    public function ungrouped(): self
    {
        return $this->plain === null ? $this
            : new self(...['run' => $this->plain, 'grouping' => null, 'plain' => null] + get_object_vars($this));
    }

    /** Returns this with another run: the same one with other names of its functions. */
    public function under(Run $renamed): self
    {
        return new self(...['run' => $renamed] + get_object_vars($this));
    }

    /** Returns this for a view that shows the whole run, while its links keep the range of time that other views show. */
    public function besides(RunRange $range): self
    {
        return new self(...['range' => $range->notFollowed()] + get_object_vars($this));
    }

    public function counted(): CountKind
    {
        return CountKind::ofRuns($this->run);
    }

    public function isMean(): bool
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
        return $this->run->title();
    }

    /** Whether the profile has corrected times beside the recorded ones. */
    public function isCorrected(): bool
    {
        return $this->isCorrected && array_filter($this->run->metrics(), Metrics::isCorrected(...)) !== [];
    }

    /** @return string|null why corrected times are not shown although they were asked for */
    public function uncorrected(): ?string
    {
        return match (true) {
            !$this->isCorrected || $this->isCorrected() => null,
            ($this->plain ?? $this->run) instanceof PartOfRun => 'a range of time has none',
            default => "the run {$this->withoutCorrected()} has none",
        };
    }

    private function withoutCorrected(): string
    {
        foreach ($this->run instanceof MeanRun ? $this->run->open : [] as $place => $open) {
            if ($open()->correctedMetrics() === []) {
                return $this->ids[$place]->id;
            }
        }

        return $this->ids[0]->id;
    }

    /** @return array<string, ?string> parameters of index.php that name this run */
    public function parameters(): array
    {
        return [
            'run' => $this->idText(),
            'source' => $this->source(),
            'wts' => $this->weights === [] ? null : implode(',', $this->weights),
            'corrected' => $this->isCorrected() ? '1' : null,
            'levels' => $this->levels ? '1' : null,
        ] + RunGroups::parameters($this->grouping) + ($this->range?->parameters() ?? []);
    }
}

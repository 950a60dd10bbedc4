<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Format\Text;
use XHProf\Memory\LiveTree;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\TimeSpan;
use XHProf\Profile\Timeline;
use XHProf\Profile\TraceContexts;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeNodes;

/**
 * One run: what a program did once. All that shows, exports, compares or sends a run takes this, whatever the run comes from: a
 * file, a part of a run, the mean of several. Each part is read when it is asked for, and once. What a run does not have is null.
 *
 * All methods that read throw DamagedRun, which names the file, and StoreError where it cannot be read.
 *
 * @phpstan-type KeptRequest array{
 *     id: RunId|null, route: string, kind: 'slowest'|'random', wall_us: int, cpu_us: int, ended: int, failed: bool,
 *     trace_id?: string|null, span_id?: string|null, tree: CallTree
 * }
 */
abstract class Run
{
    public const TREE = 'tree';
    public const TIMELINE = 'timeline';
    public const SAMPLES = 'samples';
    public const MEMORY = 'memory';
    public const OPERATIONS = 'operations';
    public const CONTEXTS = 'contexts';

    /** Bytes of memory per sample: its numbers as they were read, and as they are used, with gaps between them. */
    private const MEMORY_PER_SAMPLE = 256;

    /** Bytes of memory per number of a timeline, and of the tree that it needs. */
    private const MEMORY_PER_NUMBER = 48;

    /** Most samples, hours of them, whose times are read, however much memory there is. */
    private const MAX_SAMPLES = 8 << 20;

    /** Most numbers of a timeline, however much memory there is. */
    private const MAX_TIMELINE = 1 << 26;

    /** @var array<string, mixed> what has been read */
    private array $known = [];

    /**
     * @param RunId|null $id   null where the run has no name in a folder: a file of another name, the mean of several
     * @param string     $path of its file, for people; where it has none, what it is
     */
    public function __construct(public readonly ?RunId $id, public readonly string $path)
    {
    }

    /** Metadata: id, source and time even if none were saved. */
    final public function meta(): RunMeta
    {
        return $this->once('meta', $this->readMeta(...));
    }

    /** @return non-empty-list<RunMeta> the same; of a mean those of each of its runs */
    public function metas(): array
    {
        return [$this->meta()];
    }

    /** The calls from function to function; times to the nanosecond where they are known. */
    final public function profile(): Profile
    {
        return $this->once('profile', $this->readProfile(...));
    }

    /** The call paths; that of a sampled run is computed from its samples. */
    final public function tree(): ?CallTree
    {
        return $this->once(self::TREE, $this->readTree(...));
    }

    /** The samples in the order of time; null also for a run that was too short for one. */
    final public function samples(): ?SampleColumns
    {
        return $this->once(self::SAMPLES, $this->readSamples(...));
    }

    /** Returns samples(); null also if there are too many samples for the memory of this PHP. */
    final public function samplesThatFit(): ?SampleColumns
    {
        return $this->has(self::SAMPLES) && !$this->hasTooManySamples() ? $this->samples() : null;
    }

    /** When calls began and ended. */
    final public function timeline(): ?Timeline
    {
        return $this->once(self::TIMELINE, $this->readTimeline(...));
    }

    /** Returns timeline(); null also if the timeline is too large for the memory of this PHP. */
    final public function timelineThatFits(): ?Timeline
    {
        return $this->has(self::TIMELINE) && !$this->hasTooLongTimeline() ? $this->timeline() : null;
    }

    final public function memory(): ?MemoryProfile
    {
        return $this->once(self::MEMORY, $this->readMemory(...));
    }

    final public function operations(): ?OperationReport
    {
        return $this->once(self::OPERATIONS, $this->readOperations(...));
    }

    /** Of which spans of distributed traces its samples and operations are. */
    final public function contexts(): ?TraceContexts
    {
        return $this->once(self::CONTEXTS, $this->readContexts(...));
    }

    /** @return list<string> recorded metrics that have corrected times, without reading the call tree where that is possible */
    public function correctedMetrics(): array
    {
        return array_keys($this->tree()->corrected ?? []);
    }

    /** Where the time was: on the processor, waiting, not running. */
    final public function times(): RunTimes
    {
        return $this->once('times', fn (): RunTimes => RunTimes::ofRun($this->timed(), $this));
    }

    /** The run whose functions are those of the program: what waits is known by their names. */
    public function timed(): self
    {
        return $this;
    }

    /**
     * @return (\Closure(string): list<array{int, int}>)|null what ran within a function, as nodes of timed(); null where that has a
     *     function of this name
     */
    public function ranges(): ?\Closure
    {
        return null;
    }

    /** The columns of its call paths; null if it has none. */
    public function pathNodes(): ?TreeNodes
    {
        return $this->tree()?->nodes();
    }

    /**
     * @param list<array{int, int}>|null $ranges of nodes, in order: each with the first behind it; null for all
     *
     * @return array<string, array<string, int|float>>|null ns of operations by the function that has them, and their kind; null if
     *     none were recorded
     */
    public function operationsOfFunctions(?array $ranges = null): ?array
    {
        return $this->operations()?->ofFunctions($ranges);
    }

    /** @return bool whether the run has this part: one of the constants */
    public function has(string $part): bool
    {
        return false;
    }

    /** @return int numbers that reading this part takes, without reading it; 0 if it is not there */
    public function numbers(string $part): int
    {
        return 0;
    }

    /** @return int call paths, without reading them; 0 where they must be computed */
    public function nodes(): int
    {
        return 0;
    }

    /** The functions of the call tree, without reading all of it. */
    public function treeHead(): ?TreeHead
    {
        return null;
    }

    /** @return list<string> names of the call tree in the order of their first call, without reading all of it */
    public function treeNames(): array
    {
        return $this->treeHead()->names ?? [];
    }

    /** When it began and ended, as far as ranges of it can be had; null for a run whose times are not known. */
    public function span(): ?TimeSpan
    {
        return null;
    }

    /** @return RunFile|null its file, for code that passes parts of it on: they are not checked */
    public function file(): ?RunFile
    {
        return null;
    }

    /** @return array<array-key, string>|null time => call stack, as PECL's XHProf wrote it; null for other runs, and if damaged */
    public function recordedSamples(): ?array
    {
        return null;
    }

    /** @return list<KeptRequest> single requests that a window has kept */
    public function requests(): array
    {
        return [];
    }

    /** What the call paths stand for, where it is live memory by type, and not calls. */
    public function live(): ?LiveTree
    {
        return null;
    }

    /** @return string changes when the run does */
    public function version(): string
    {
        return $this->path;
    }

    /** Whether there are too many samples, also for this PHP's memory: do not ask for samples() then. */
    final public function hasTooManySamples(): bool
    {
        $samples = $this->numbers(self::SAMPLES);

        return $samples > self::MAX_SAMPLES || $samples > intdiv(PhpMemory::limit(), self::MEMORY_PER_SAMPLE);
    }

    /** Whether the timeline is too long, also for this PHP's memory: do not ask for timeline() then. */
    final public function hasTooLongTimeline(): bool
    {
        $timeline = $this->numbers(self::TIMELINE);
        $most = intdiv(PhpMemory::limit(), self::MEMORY_PER_NUMBER);

        return $timeline > self::MAX_TIMELINE || ($timeline > 0 && $timeline + $this->numbers(self::TREE) > $most);
    }

    /** @return list<string> the metrics of the profile, without reading it where the metadata name them */
    final public function metrics(): array
    {
        return $this->knownMetrics() ?? $this->profile()->metrics();
    }

    /** @return list<string>|null the same where they are known without reading the profile */
    public function knownMetrics(): ?array
    {
        $known = $this->knownProfile();
        $named = array_filter(array_keys($this->savedTotals()), static fn (string $name): bool
            => Metrics::isFigure($name));

        return $known?->metrics() ?? ($named === [] ? null : Metrics::ordered(array_values($named)));
    }

    /** The total of a metric, 0 if there is none; without reading the profile where the metadata have it. */
    final public function total(string $metric): int|float
    {
        return $this->savedTotals()[$metric] ?? $this->profile()->totals()[$metric] ?? 0;
    }

    /** The profile where it has been read. */
    final public function knownProfile(): ?Profile
    {
        $known = $this->known['profile'] ?? null;

        return $known instanceof Profile ? $known : null;
    }

    /** @return array<string, int> totals by metric as the metadata have them, if they do: the same as those of the profile */
    protected function savedTotals(): array
    {
        $totals = $this->meta()->totals->figures;
        foreach (array_keys($totals) as $metric) {
            $totals[$metric] = $this->meta()->recording->sampledTotal($metric) ?? $totals[$metric];
        }

        return $totals;
    }

    /** "4f0c91ab (cli)", or the path of a file that is not named like a run; printable. */
    public function name(): string
    {
        return $this->id === null ? Text::printable($this->path) : "{$this->id->id} ({$this->id->source})";
    }

    /** The command or URL that was profiled, the job; its id where it is not known; one printable line. */
    public function title(): string
    {
        return $this->meta()->titleOr($this->id->id ?? Text::printable($this->path));
    }

    /** The command or URL that was profiled, '' if unknown; printable. */
    public function subject(): string
    {
        return Text::printable($this->meta()->subject() ?? '');
    }

    /** @return array<string, mixed> what it is, for --json */
    public function describe(): array
    {
        return ['id' => $this->id?->id, 'source' => $this->id?->source, 'file' => $this->path, 'meta' => $this->meta()->toArray()];
    }

    abstract protected function readMeta(): RunMeta;

    abstract protected function readProfile(): Profile;

    protected function readTree(): ?CallTree
    {
        return null;
    }

    protected function readSamples(): ?SampleColumns
    {
        return null;
    }

    protected function readTimeline(): ?Timeline
    {
        return null;
    }

    protected function readMemory(): ?MemoryProfile
    {
        return null;
    }

    protected function readOperations(): ?OperationReport
    {
        return null;
    }

    protected function readContexts(): ?TraceContexts
    {
        return null;
    }

    /**
     * @param array<mixed> $saved
     * @param int|null     $time of the last change of its file
     *
     * @return RunMeta with id, source and time where it has none
     */
    final protected function completed(array $saved, ?int $time): RunMeta
    {
        $known = ['id' => $this->id?->id, 'source' => $this->id?->source, 'ts' => $time];

        return RunMeta::fromArray($saved)->completed(array_filter($known, is_scalar(...)));
    }

    /**
     * @template T
     *
     * @param \Closure(): T $read may throw InvalidProfile
     *
     * @return T
     *
     * @throws DamagedRun
     */
    final protected function once(string $part, \Closure $read): mixed
    {
        if (!array_key_exists($part, $this->known)) {
            try {
                $this->known[$part] = $read();
            } catch (InvalidProfile $e) {
                throw new DamagedRun("$this->path: {$e->getMessage()}", 0, $e);
            }
        }
        /** @var T $value */
        $value = $this->known[$part];

        return $value;
    }
}

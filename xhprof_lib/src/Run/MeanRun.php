<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\NotOfMean;
use XHProf\Exception\RunTooLarge;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\ProfileMean;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\Timeline;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeMean;

/**
 * The weighted mean of several runs. Its metadata are those of the first. Runs are opened one after the other, also more than once:
 * together they may not fit into memory. What only one run has throws NotOfMean.
 */
final class MeanRun extends Run
{
    /** @var list<\Closure(Profile): void> */
    private array $listeners = [];

    /**
     * @param non-empty-list<\Closure(): Run> $open    each opens a run
     * @param list<int>                       $weights one per run, 0 or more; none = all alike
     */
    public function __construct(public readonly array $open, public readonly array $weights = [])
    {
        parent::__construct(null, sprintf('mean of %d runs', count($open)));
    }

    /** @param \Closure(Profile): void $listener is called with the profile of each run when the mean of them is made */
    public function eachProfile(\Closure $listener): void
    {
        $this->listeners[] = $listener;
    }

    public function has(string $part): bool
    {
        return $part === self::TREE && $this->once('has', function (): bool {
            foreach ($this->open as $open) {
                if (!$open()->has(self::TREE)) {
                    return false;
                }
            }

            return true;
        });
    }

    /** The functions of the first run whose places are known. */
    public function treeHead(): ?TreeHead
    {
        foreach ($this->open as $open) {
            $head = $open()->treeHead();
            if ($head !== null && !$head->places->isEmpty()) {
                return $head;
            }
        }

        return null;
    }

    public function treeNames(): array
    {
        return array_values(array_unique(array_merge(...array_map(
            static fn (\Closure $open): array => $open()->treeNames(),
            $this->open,
        ))));
    }

    public function version(): string
    {
        return implode(' ', array_map(static fn (\Closure $open): string => $open()->version(), $this->open));
    }

    public function timed(): Run
    {
        $first = $this->open[0]();
        $timed = static fn (\Closure $open): \Closure => static fn (): Run => $open()->timed();

        return $first->timed() === $first ? $this : new self(array_map($timed, $this->open), $this->weights);
    }

    public function operationsOfFunctions(?array $ranges = null): ?array
    {
        $whole = $this->weights === [] ? count($this->open) : array_sum($this->weights);
        $mean = [];
        foreach ($ranges === null ? $this->open : [] as $i => $open) {
            // Of one that has none it is not known what waited.
            foreach ($open()->operationsOfFunctions() ?? [] as $name => $kinds) {
                foreach ($kinds as $kind => $ns) {
                    $mean[$name][$kind] = ($mean[$name][$kind] ?? 0) + $ns * ($this->weights[$i] ?? 1) / max(1, $whole);
                }
            }
        }

        return $mean === [] ? null : $mean;
    }

    /** @return list<string> of the runs */
    public function names(): array
    {
        return array_map(static fn (\Closure $open): string => $open()->name(), $this->open);
    }

    public function title(): string
    {
        return ucfirst($this->path);
    }

    public function describe(): array
    {
        return ['runs' => $this->names(), 'meta' => $this->meta()->toArray()];
    }

    public function metas(): array
    {
        return $this->once('metas', fn (): array => array_map(static fn (\Closure $open): RunMeta => $open()->meta(), $this->open));
    }

    protected function savedTotals(): array
    {
        return [];
    }

    protected function readMeta(): RunMeta
    {
        // How long one of them was suspended is no figure of all.
        return $this->open[0]()->meta()->with(['suspended_us' => null]);
    }

    protected function readProfile(): Profile
    {
        $profiles = function (): \Generator {
            foreach ($this->open as $open) {
                $profile = $open()->profile();
                foreach ($this->listeners as $listener) {
                    $listener($profile);
                }
                yield $profile;
                unset($profile);
            }
        };

        return ProfileMean::compute($profiles(), $this->weights);
    }

    /** @throws RunTooLarge */
    protected function readTree(): CallTree
    {
        $trees = array_map(static fn (\Closure $open): \Closure => static function () use ($open): CallTree {
            $run = $open();

            return $run->tree() ?? throw new NotOfMean("The run {$run->name()} has no call tree: there is no mean of them");
        }, $this->open);

        foreach ($this->open as $open) {
            if ($open()->nodes() > TreeMean::MAX_NODES) {
                throw new RunTooLarge("the call tree of the run {$open()->name()} is too large for a mean");
            }
        }
        try {
            return TreeMean::compute($trees, $this->weights);
        } catch (InvalidProfile $e) {
            throw new RunTooLarge("there is no mean of these call trees: {$e->getMessage()}", 0, $e);
        }
    }

    protected function readSamples(): ?SampleColumns
    {
        throw self::refused('Samples are');
    }

    protected function readTimeline(): ?Timeline
    {
        throw self::refused('A timeline is');
    }

    protected function readMemory(): ?MemoryProfile
    {
        throw self::refused('Memory is');
    }

    protected function readOperations(): ?OperationReport
    {
        throw self::refused('Operations are');
    }

    private static function refused(string $what): NotOfMean
    {
        return new NotOfMean("$what shown for one run, not for the mean of several");
    }
}

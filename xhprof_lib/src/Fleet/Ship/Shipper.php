<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Exception\XHProfException;
use XHProf\File\Folder;
use XHProf\Fleet\Output;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Shipment;
use XHProf\Fleet\ShipperReport;
use XHProf\Fleet\TakesReports;
use XHProf\Fleet\Unavailable;
use XHProf\Format\Text;
use XHProf\Run\RunId;

/**
 * Sends the finished runs of a folder, the oldest first, and remembers what was confirmed: each at least once. The folder is only
 * read. While the store is away the runs wait in it; those that it loses meanwhile are counted.
 */
final class Shipper
{
    /** Runs refused one after the other before the store itself is suspected: then there is a pause after each. */
    private const SUSPECT = 10;

    /** A batch with which the store fails so often, for so many seconds, may be to blame. Then others are tried, which shows it. */
    private const STUCK_ATTEMPTS = 8;
    private const STUCK_SECONDS = 600;

    /** Seconds until a run that was set aside is tried again; twice as long after each further failure, up to the longest. */
    private const ASIDE = 3600;
    private const LONGEST_ASIDE = 86400;

    /** Seconds after which a store gets a report that has nothing new: so it sees that the shipper is there. */
    private const REPORT = 300;

    /** Runs refused since the last one that was taken. */
    private int $refused = 0;

    /** @var array<string, true> runs of the batch that is being sent */
    private array $inFlight = [];

    /** @var array<string, true> runs that could not be opened this time */
    private array $closed = [];

    /** When the store last took something, or the pass began. */
    private float $lastTaken = 0.0;

    /** @var list<string> runs of this pass */
    private array $queue = [];

    private ?int $scanned = null;

    /** Whether the store took nothing when it was last asked. */
    private bool $isAway = false;

    private ?ShipperReport $reported = null;

    private string $unreported = '';

    /**
     * @param list<RunKind>                 $kinds    of runs that are sent
     * @param (\Closure(): bool)|null       $stopped  whether to finish what is being sent, and begin nothing more
     * @param (\Closure(string): void)|null $log      takes what an operator wants to know, on one line
     * @param (\Closure(int, int): void)|null $progress called with the number of runs that are done, and of all
     */
    public function __construct(
        private readonly Folder $folder,
        private readonly RunPacker $packer,
        private readonly Output $output,
        private readonly ShipState $state,
        private readonly ValueBound $values,
        private readonly array $kinds,
        private readonly Clock $clock,
        private readonly Backoff $backoff,
        private readonly ShipLimits $limits,
        private readonly ?\Closure $stopped = null,
        private readonly ?\Closure $log = null,
        private readonly ?\Closure $progress = null,
    ) {
    }

    /**
     * Sends all that there is now.
     *
     * @return bool false if runs are left: the store is away, some cannot be opened, or it was stopped. Those that were set aside
     *     do not count: see ShipState::setAside()
     *
     * @throws StoreError if the folder cannot be read, or the state not be written
     */
    public function pass(): bool
    {
        $this->lastTaken = $this->clock->now();
        $isAll = $this->sendAll();
        $this->report();

        return $isAll;
    }

    /** @throws StoreError as pass() */
    private function sendAll(): bool
    {
        $this->scan();
        $this->closed = [];
        $this->queue = array_map(strval(...), array_keys(array_diff_key($this->state->waiting(), $this->state->aside())));
        $all = count($this->queue);
        for ($next = 0; $next < $all && !$this->isStopped();) {
            $this->progress === null ? null : ($this->progress)($next, $all);
            // Not kept in a variable: the next batch is read when this one is gone.
            if (!$this->deliver($this->batch($next))) {
                return false;
            }
        }
        $this->tryAside();
        $this->closed === [] ? $this->state->touch() : $this->state->saveCounters();

        return $this->closed === [] && $next >= $all;
    }

    /**
     * Passes until it is stopped.
     *
     * @param float $pause seconds between passes
     *
     * @throws StoreError as pass()
     */
    public function run(float $pause): void
    {
        while (!$this->isStopped()) {
            $this->pass();
            if (!$this->isStopped()) {
                $this->clock->sleep($pause);
            }
        }
    }

    /** Lets the store know what did not reach it. It is no matter if that fails. */
    private function report(): void
    {
        if (!$this->output instanceof TakesReports || $this->isAway) {
            return;
        }
        $counters = $this->state->counters;
        $waiting = $this->state->waiting();
        $late = array_diff_key($waiting, $this->state->aside());
        [$host, $service] = $this->packer->sender();
        $report = new ShipperReport(
            $this->state->id(),
            $host,
            $service,
            $this->clock->now(),
            $counters->sent,
            $counters->dropped,
            $counters->rejected,
            $counters->damaged,
            $counters->others,
            count($waiting),
            $late === [] ? null : min($late),
        );
        $before = $this->reported;
        $figures = static fn (ShipperReport $one): array => ['at' => 0.0] + get_object_vars($one);
        if ($before !== null && $figures($before) === $figures($report) && $report->at < $before->at + self::REPORT) {
            return;
        }
        try {
            $this->output->report($report);
            $this->reported = $report;
            $this->unreported = '';
        } catch (Rejected | Unavailable $e) {
            if ($e->getMessage() !== $this->unreported) {
                $this->log("the store takes no report: {$e->getMessage()}");
            }
            $this->unreported = $e->getMessage();
        }
    }

    /**
     * Looks for new runs, and for those that the folder has lost.
     *
     * @throws StoreError
     */
    private function scan(): void
    {
        // Changes of the present second may leave the folder's time as it is.
        $changed = $this->folder->changed();
        if ($changed !== null && $changed === $this->scanned && $changed < (int) $this->clock->now() - 1) {
            return;
        }
        $present = [];
        foreach ($this->folder->names() as $name) {
            // A run of PECL's XHProf has no call tree.
            if (str_ends_with($name, '.' . RunId::RUN)) {
                $present[substr($name, 0, -strlen('.' . RunId::RUN))] = true;
            }
        }
        $this->forget($present);
        $this->find($present);
        $this->scanned = $changed;
    }

    /**
     * @param array<array-key, true> $present
     *
     * @throws StoreError
     */
    private function forget(array $present): void
    {
        $waiting = $this->state->waiting();
        $gone = [];
        $dropped = 0;
        foreach ($this->state->known() as $run) {
            if (!isset($present[$run]) && !isset($this->inFlight[$run])) {
                $gone[] = $run;
                $dropped += isset($waiting[$run]) ? 1 : 0;
            }
        }
        $this->lost($dropped);
        $this->state->gone($gone);
    }

    /**
     * @param array<array-key, true> $present
     *
     * @throws StoreError
     */
    private function find(array $present): void
    {
        $waiting = $left = [];
        foreach ($present as $name => $_) {
            $id = $this->state->isKnown((string) $name) ? null : RunId::fromFileName("$name." . RunId::RUN);
            $stat = $id === null ? null : $this->folder->stat($id->fileName());
            if ($id === null || $stat === null) {
                continue;
            }
            try {
                $kind = $this->packer->kind($id);
                $kind !== null && in_array($kind, $this->kinds, true)
                    ? $waiting[(string) $name] = $stat['mtime']
                    : $left[] = (string) $name;
            } catch (RunNotFound | StoreError) {
                // It is gone, or may be opened later.
            } catch (DamagedRun $e) {
                $this->damaged((string) $name, $e);
            }
        }
        // Of those of one second the folder's own order is by chance.
        ksort($waiting);
        $this->state->found($waiting, $left);
    }

    /**
     * @param int $next in the queue; moved on
     *
     * @return list<Shipment>
     *
     * @throws StoreError if the state cannot be written
     */
    private function batch(int &$next): array
    {
        $batch = [];
        $this->inFlight = [];
        $all = count($this->queue);
        for ($size = 0; $next < $all && count($batch) < $this->limits->runs && $size < $this->limits->numbers;) {
            $name = $this->queue[$next++];
            // Another batch that is stuck may have let it by.
            $shipment = $this->state->isWaiting($name) ? $this->pack($name, $size) : null;
            if ($shipment !== null) {
                $batch[] = $shipment;
            }
        }

        return $batch;
    }

    /**
     * @param int $numbers see RunPacker::pack()
     *
     * @throws StoreError if the state cannot be written
     */
    private function pack(string $name, int &$numbers = 0): ?Shipment
    {
        try {
            $shipment = $this->packer->pack(RunId::fromText($name), $numbers);
            $this->inFlight[$name] = true;

            return $shipment;
        } catch (XHProfException $e) {
            $this->unread($name, $e);

            return null;
        }
    }

    /**
     * A run of the queue that could not be read: it is gone, cannot be opened now, or is damaged.
     *
     * @throws StoreError if the state cannot be written
     */
    private function unread(string $name, XHProfException $why): void
    {
        if ($why instanceof RunNotFound || !$this->folder->holds("$name." . RunId::RUN)) {
            $this->lost(isset($this->state->waiting()[$name]) ? 1 : 0);
            $this->state->gone([$name]);
        } elseif ($why instanceof StoreError) {
            $this->closed[$name] = true;
            $this->noteRun($why);
        } else {
            $this->damaged($name, $why);
        }
    }

    private function lost(int $runs): void
    {
        if ($runs > 0) {
            $this->state->counters->dropped += $runs;
            $this->log(($runs === 1 ? '1 run' : "$runs runs") . ' left the folder unsent');
        }
    }

    /**
     * @param list<Shipment> $shipments
     *
     * @return bool false if the store is away, or the shipper was stopped
     *
     * @throws StoreError if the state cannot be written
     */
    private function deliver(array $shipments): bool
    {
        for ($attempt = 1; $shipments !== []; $attempt++) {
            if (!$this->hasTimeFor(0.0)) {
                return false;
            }
            try {
                $this->output->send($shipments);
                $this->confirm($shipments);

                return true;
            } catch (Rejected $e) {
                return $this->refuse($shipments, $e);
            } catch (Unavailable $e) {
                $this->countAttempt($shipments[0]);
                $this->note($e->getMessage());
                if ($this->isStuck() && $this->overtake($shipments, $e)) {
                    return true;
                }
                if ($this->isStopped() || $attempt === $this->limits->attempts || !$this->pause($e->retryAfter)) {
                    return false;
                }
            }
        }

        return true;
    }

    /** @param Shipment $first of the batch */
    private function countAttempt(Shipment $first): void
    {
        $counters = $this->state->counters;
        if ($counters->stuckRun !== self::nameOf($first)) {
            [$counters->stuckRun, $counters->stuckSince, $counters->stuckAttempts] = [self::nameOf($first), $this->clock->now(), 0];
        }
        $counters->stuckAttempts++;
    }

    private function isStuck(): bool
    {
        $counters = $this->state->counters;

        return $counters->stuckAttempts >= self::STUCK_ATTEMPTS
            && $this->clock->now() - $counters->stuckSince >= self::STUCK_SECONDS;
    }

    /**
     * Sends one of the other runs. If the store takes it, these are to blame, and are set aside.
     *
     * @param non-empty-list<Shipment> $shipments
     *
     * @throws StoreError if the state cannot be written
     */
    private function overtake(array $shipments, Unavailable $why): bool
    {
        $names = array_map(self::nameOf(...), $shipments);
        $others = array_diff(array_filter($this->queue, $this->state->isWaiting(...)), $names, array_keys($this->closed));
        // Another one each time: it may be like these.
        $other = array_values($others)[$this->state->counters->stuckAttempts % max(1, count($others))] ?? null;
        $shipment = $other === null ? null : $this->pack($other);
        if ($shipment === null) {
            return false;
        }
        try {
            $this->output->send([$shipment]);
        } catch (Rejected | Unavailable) {
            unset($this->inFlight[$other]);

            return false;
        }
        $this->confirm([$shipment]);
        $this->log((count($shipments) === 1 ? '1 run is' : count($shipments) . ' runs are')
            . " set aside: {$this->output->name()} takes others");
        $this->noteRun($why, count($names) === 1 ? $names[0] : '');
        $this->state->setAside(array_fill_keys($names, [$this->clock->now(), 0]));

        return true;
    }

    /**
     * Sends the runs that were set aside and are due, each alone.
     *
     * @throws StoreError if the state cannot be written
     */
    private function tryAside(): void
    {
        $now = $this->clock->now();
        $due = array_filter($this->state->aside(), static fn (array $when): bool => $when[0] <= $now);
        asort($due);
        // When it fails with two in a row it may be away.
        for ($failed = 0; $due !== [] && $failed < 2 && !$this->isStopped();) {
            $name = (string) array_key_first($due);
            [, $failures] = array_shift($due);
            $this->inFlight = [];
            $shipment = $this->pack($name);
            try {
                if ($shipment !== null) {
                    $this->output->send([$shipment]);
                    $this->confirm([$shipment]);
                    $failed = 0;
                }
            } catch (Rejected $e) {
                $this->refuse([$shipment], $e);
            } catch (Unavailable $e) {
                $failed++;
                $this->noteRun($e, $name);
                $pause = min(self::LONGEST_ASIDE, self::ASIDE * 2 ** min(10, $failures));
                $this->state->setAside([$name => [$this->clock->now() + $pause, $failures + 1]]);
            }
        }
        $this->inFlight = [];
    }

    private static function nameOf(Shipment $shipment): string
    {
        return (string) $shipment->run->id;
    }

    /** @param non-empty-list<Shipment> $shipments */
    private function confirm(array $shipments): void
    {
        $counters = $this->state->counters;
        [$counters->stuckRun, $counters->stuckSince, $counters->stuckAttempts] = ['', 0.0, 0];
        $counters->sent += count($shipments);
        $counters->sentAt = $this->lastTaken = $this->clock->now();
        if ($this->backoff->failures() > 0) {
            $this->log("{$this->output->name()} takes runs again");
        }
        $counters->error = '';
        $this->isAway = false;
        $others = $this->values->takeOthers();
        $counters->others += $others;
        $values = $this->values->values();
        $names = array_map(self::nameOf(...), $shipments);
        $this->state->done($names, $values === $this->state->values() ? null : $values);
        $this->inFlight = array_diff_key($this->inFlight, array_flip($names));
        $this->refused = 0;
        $this->backoff->reset();
    }

    /**
     * Halves the batch until the run that is refused is alone.
     *
     * @param non-empty-list<Shipment> $shipments
     */
    private function refuse(array $shipments, Rejected $why): bool
    {
        if (count($shipments) > 1) {
            foreach (array_chunk($shipments, max(1, intdiv(count($shipments) + 1, 2))) as $half) {
                if (!$this->deliver($half)) {
                    return false;
                }
            }

            return true;
        }
        $name = self::nameOf($shipments[0]);
        if (++$this->refused > self::SUSPECT && ($this->limits->attempts !== null || !$this->pause(null))) {
            // It may be the store's schema, not the runs.
            $this->note("the store refuses every run: {$why->getMessage()}");

            return false;
        }
        $this->state->counters->rejected++;
        $this->noteRun($why, $name);
        $this->state->done([$name]);
        unset($this->inFlight[$name]);

        return !$this->isStopped();
    }

    /** Whether it may go on after so many seconds without a success. */
    private function hasTimeFor(float $seconds): bool
    {
        return $this->limits->seconds === null || $this->clock->now() + $seconds < $this->lastTaken + $this->limits->seconds;
    }

    /** @return bool false if it was stopped meanwhile, or there is no time for it */
    private function pause(?float $wish): bool
    {
        $seconds = $this->backoff->next($wish);
        if (!$this->hasTimeFor($seconds)) {
            return false;
        }
        $this->clock->sleep($seconds);
        if ($this->isStopped()) {
            return false;
        }
        // What the folder loses meanwhile is counted meanwhile.
        $this->scan();

        return true;
    }

    /** @phpstan-impure */
    private function isStopped(): bool
    {
        return $this->stopped !== null && ($this->stopped)();
    }

    private function log(string $text): void
    {
        if ($this->log !== null) {
            ($this->log)(Text::printable($text));
        }
    }

    private function damaged(string $name, XHProfException $why): void
    {
        $this->state->counters->damaged++;
        $this->noteRun($why);
        $this->state->done([$name]);
    }

    private function note(string $why): void
    {
        $counters = $this->state->counters;
        $why = Text::printable($why);
        if ($why !== $counters->error || $this->backoff->failures() === 0) {
            $this->log($why);
        }
        $counters->error = $why;
        $this->isAway = true;
        $counters->errorAt = $this->clock->now();
        $this->state->saveCounters();
    }

    private function noteRun(XHProfException $why, string $name = ''): void
    {
        $text = ($name === '' ? '' : "$name: ") . $why->getMessage();
        $this->log($text);
        $this->state->counters->runError = Text::printable($text);
        $this->state->counters->runErrorAt = $this->clock->now();
    }
}

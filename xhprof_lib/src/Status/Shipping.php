<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Exception\StoreError;
use XHProf\Fleet\Ship\ShipState;
use XHProf\Fleet\Ship\StateFolder;
use XHProf\Format\Units;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;

/** How the runs of a folder get to a store of many hosts: what `xhprof ship` has left in its state folder. */
final class Shipping
{
    /** Seconds that a run may wait, and a shipper may leave no sign. */
    private const LATE = 600;

    private function __construct(private readonly ShipState $state, private readonly ?bool $isRunning, private readonly float $now)
    {
    }

    /**
     * @param string|null  $named a state folder that the user named
     * @param list<string> $runs  folders of runs
     *
     * @return array{list<self>, list<Finding>} and what is to be said of states that cannot be read
     */
    public static function read(?string $named, array $runs, float $now): array
    {
        $real = static fn (string $path): string => (string) realpath($path);
        $runs = array_map($real, $runs);
        $found = $notes = [];
        $folders = $named === null ? [StateFolder::default(), StateFolder::SERVICE] : [$named];
        foreach (array_unique(array_filter(array_map($real, array_filter($folders)))) as $folder) {
            try {
                foreach (ShipState::all($folder) as $state) {
                    if (in_array($real($state->runs), $runs, true)) {
                        $found[] = new self($state, StateFolder::isLocked($folder), $now);
                    }
                }
            } catch (StoreError $e) {
                $notes[] = Finding::note("the state of xhprof ship cannot be read: {$e->getMessage()}");
            }
        }

        return [$found, $notes];
    }

    /** @return list<Finding> */
    public function findings(): array
    {
        $counters = $this->state->counters;
        $aside = count($this->state->aside());
        $waiting = count($this->state->waiting()) - $aside;
        $runs = static fn (int $count): string => Units::counted($count, 'run');
        $when = $counters->sentAt > 0 ? ", last {$this->ago($counters->sentAt)}" : '';
        $found = [Finding::ok("{$runs($counters->sent)} sent to {$this->state->to}$when")];
        if ($waiting > 0) {
            $text = "{$runs($waiting)} to send, the oldest of {$this->ago($this->now - $this->lag())}";
            $found[] = $this->lag() > self::LATE ? Finding::wrong($text) : Finding::ok($text);
        }
        if ($counters->error !== '') {
            $found[] = Finding::wrong("the store takes nothing: $counters->error ({$this->ago($counters->errorAt)})");
        }
        $lost = array_filter([
            'set aside: the store fails with them and takes others; each is tried again from time to time' => $aside,
            'removed from the folder before they were sent' => $counters->dropped,
            'refused by the store' => $counters->rejected,
            'damaged' => $counters->damaged,
        ]);
        foreach ($lost as $why => $count) {
            $found[] = Finding::note("{$runs($count)} $why");
        }
        if ($counters->runError !== '') {
            $found[] = Finding::note("$counters->runError ({$this->ago($counters->runErrorAt)})");
        }
        if ($counters->others > 0) {
            $found[] = Finding::note(Units::count($counters->others) . ' values of labels had no room: "(other)"');
        }
        if ($this->isRunning === false && $this->now - $this->state->changed() > self::LATE) {
            $found[] = Finding::wrong("xhprof ship last ran {$this->ago($this->state->changed())}", 'start xhprof ship');
        }

        return $found;
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        $counters = $this->state->counters;

        return [
            'to' => $this->state->to,
            'runs' => $this->state->runs,
            'running' => $this->isRunning,
            'changed' => $this->state->changed(),
            'waiting' => count($this->state->waiting()),
            'set_aside' => count($this->state->aside()),
            'lag' => $this->lag(),
            'sent' => $counters->sent,
            'sent_at' => $counters->sentAt,
            'dropped' => $counters->dropped,
            'rejected' => $counters->rejected,
            'damaged' => $counters->damaged,
            'other_values' => $counters->others,
            'error' => $counters->error,
            'error_at' => $counters->errorAt,
            'run_error' => $counters->runError,
            'run_error_at' => $counters->runErrorAt,
            'findings' => (new FindingList($this->findings()))->json(),
        ];
    }

    /** @return int seconds since the oldest run that waits, and is not set aside, was written; 0 if none does */
    private function lag(): int
    {
        $waiting = array_diff_key($this->state->waiting(), $this->state->aside());

        return $waiting === [] ? 0 : max(0, (int) $this->now - min($waiting));
    }

    private function ago(float $time): string
    {
        return Check::ago(max(0, (int) ($this->now - $time)));
    }
}

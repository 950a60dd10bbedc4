<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\File\Folder;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Ship\Backoff;
use XHProf\Fleet\Ship\CleanTexts;
use XHProf\Fleet\Ship\Clock;
use XHProf\Fleet\Ship\Labels;
use XHProf\Fleet\Ship\RunKind;
use XHProf\Fleet\Ship\RunPacker;
use XHProf\Fleet\Ship\ShipLimits;
use XHProf\Fleet\Ship\ShipState;
use XHProf\Fleet\Ship\Shipper;
use XHProf\Fleet\Ship\ValueBound;
use XHProf\Fleet\Shipment;
use XHProf\Fleet\ShipperReport;
use XHProf\Fleet\TakesReports;
use XHProf\Fleet\Unavailable;
use XHProf\Profile\CallTree;
use XHProf\Profile\NameRules;
use XHProf\Secret\Redact;
use XHProf\Source\PathMap;
use XHProf\Source\SourceFiles;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/RunFiles.php';

/** A shipper with a clock of its own, and an output that records runs, and fails where a test wants it to. */
final class ShipBench implements Clock, TakesReports
{
    public const START = 1763680000;

    public float $now = self::START;

    /** @var list<float> pauses that were made */
    public array $pauses = [];

    /** @var list<list<string>> ids of the runs of each batch that was offered */
    public array $offered = [];

    /** @var array<string, int> how often a run was taken, by key */
    public array $taken = [];

    /** @var array<string, Shipment> by id */
    public array $shipments = [];

    /** @var list<\Throwable|null> what the next sends throw; null: nothing */
    public array $failures = [];

    /** @var array<string, true> ids that are refused */
    public array $bad = [];

    /** @var array<string, true> ids with which the store fails */
    public array $poison = [];

    /** @var (\Closure(): void)|null called in each pause */
    public ?\Closure $inPause = null;

    /** @var (\Closure(): void)|null called after each batch that was taken, before it is confirmed */
    public ?\Closure $afterSend = null;

    public bool $isStopped = false;

    /** @var list<string> */
    public array $log = [];

    /** @var list<ShipperReport> */
    public array $reports = [];

    public ?\Throwable $noReport = null;

    public float $random = 0.0;

    /** @param list<RunKind> $kinds */
    public function __construct(
        public readonly string $runFolder,
        public readonly string $stateFolder,
        public ?Labels $labels = null,
        public array $kinds = [RunKind::Window],
        public ShipLimits $limits = new ShipLimits(),
        public string $fragments = 'token,pass',
    ) {
        is_dir($runFolder) || mkdir($runFolder);
        is_dir($stateFolder) || mkdir($stateFolder);
    }

    /** A new process. */
    public function shipper(): Shipper
    {
        $state = $this->state();
        $store = new RunFolder($this->runFolder);
        $values = new ValueBound(Labels::MOST_VALUES, $state->values());
        $labels = $this->labels ?? Labels::parse('shop', 'live', null, 'web-1', []);
        $texts = new CleanTexts(Redact::withRules($this->fragments, ''));

        return new Shipper(
            new Folder($this->runFolder),
            new RunPacker($store, $labels, $texts, $values, NameRules::ours(), new SourceFiles([], PathMap::parse(''))),
            $this,
            $state,
            $values,
            $this->kinds,
            $this,
            new Backoff(fn (): float => $this->random),
            $this->limits,
            fn (): bool => $this->isStopped,
            function (string $text): void {
                $this->log[] = $text;
            },
        );
    }

    public function state(): ShipState
    {
        $kinds = implode(',', array_map(static fn (RunKind $kind): string => $kind->value, $this->kinds));

        return ShipState::open($this->stateFolder, 'test://store', 'test://store', $this->runFolder, $kinds);
    }

    public function now(): float
    {
        return $this->now;
    }

    public function sleep(float $seconds): void
    {
        $this->pauses[] = $seconds;
        $this->now += $seconds;
        $this->inPause === null ? null : ($this->inPause)();
    }

    public function name(): string
    {
        return 'test://store';
    }

    public function send(array $shipments): void
    {
        $ids = array_map(static fn (Shipment $one): string => (string) $one->run->id?->id, $shipments);
        $this->offered[] = $ids;
        $failure = array_shift($this->failures);
        if ($failure !== null) {
            throw $failure;
        }
        if (array_intersect_key($this->poison, array_flip($ids)) !== []) {
            throw self::away();
        }
        if (array_intersect_key($this->bad, array_flip($ids)) !== []) {
            throw new Rejected('it has a bad run');
        }
        foreach ($shipments as $i => $shipment) {
            $this->taken[$shipment->key] = ($this->taken[$shipment->key] ?? 0) + 1;
            $this->shipments[$ids[$i]] = $shipment;
        }
        $this->afterSend === null ? null : ($this->afterSend)();
    }

    public function report(ShipperReport $report): void
    {
        if ($this->noReport !== null) {
            throw $this->noReport;
        }
        $this->reports[] = $report;
    }

    public static function away(?float $retryAfter = null): Unavailable
    {
        return new Unavailable('the store is away', $retryAfter);
    }

    /**
     * Writes a window of one minute with one route.
     *
     * @param array<string, mixed> $meta in addition
     */
    public function window(string $id, string $route = 'GET /', array $meta = [], string $function = 'App\Kernel::handle'): void
    {
        $at = self::START + count(RunFiles::runs($this->runFolder));
        $tree = CallTree::fromArray([
            'names' => ['main()', $route, $function],
            'fn' => [0, 1, 2],
            'depth' => [0, 1, 2],
            'ct' => [0, 0, 5],
            'self' => ['wt' => [0, 0, 50000000]],
        ]);
        AutomaticRuns::write($this->runFolder, $id, $meta + [
            'ts' => $at,
            'start' => 'aggregate',
            'mode' => 'aggregate',
            'php' => '8.2.36',
            'git' => 'abc1234',
            'samples' => 5,
            'sample_interval_us' => 10000,
            'sampling' => ['clock' => 'wall', 'taken' => 5],
            'totals' => ['wt' => 50000],
            'duration_us' => 60000000,
            'aggregate' => ['seconds' => 60, 'from' => $at, 'to' => $at + 60, 'requests' => 3, 'processes' => 1, 'routes' => [
                $route => ['requests' => 3, 'failed' => 1, 'samples' => 5, 'wall_us' => 50000, 'max_us' => 30000],
            ]],
        ], $tree, ['interval_us' => 10000, 'clock' => 'wall'], null, 'web');
        touch(RunFiles::path($this->runFolder, "$id.web"), $at);
    }

    public function remove(string $id): void
    {
        RunFiles::delete($this->runFolder, "$id.web");
    }
}

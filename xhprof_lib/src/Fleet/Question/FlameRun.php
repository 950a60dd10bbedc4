<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Exception\StoreError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Format\Text;
use XHProf\Run\MadeRun;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;

/** The call paths of a selection as a run, which all views of runs open. */
final class FlameRun
{
    /** Source of the runs that are made of many hosts' samples. */
    public const SOURCE = 'fleet';

    /**
     * @param int $requests whose time it is
     * @param int $damaged  rows of the store that were left out
     */
    private function __construct(public readonly MadeRun $run, public readonly int $requests, public readonly int $damaged)
    {
    }

    /** @return self|null null if no samples of the selection have arrived */
    public static function read(Client $client, Selection $which, SampledClock $clock): ?self
    {
        $flame = new Flame($client);
        $tree = $flame->tree($which, $clock);
        if ($tree === null) {
            return null;
        }
        $samples = array_sum($tree->ct);
        $metric = isset($tree->self[$clock->metric()]) ? $clock->metric() : $tree->metrics()[0];
        $time = array_sum($tree->exclusive($metric));
        $interval = $samples === 0 ? 0 : (int) round($time / $samples / 1000);
        $requests = RowValues::sum((new Functions($client))->requests($which));
        $title = self::title($which);
        $meta = RunMeta::fromArray([
            'ts' => (float) ($which->from ?? time()),
            'duration_us' => intdiv((int) $time, 1000),
            'name' => $title,
            'meta' => ['fleet' => $which->toArray() + ['requests' => $requests]],
        ] + RunMeta::ofSamples($clock->value, $samples, $interval));
        $run = new MadeRun(null, $title, $meta, $tree, $tree->toProfile()->sampled($meta->recording->sampleCount()));

        return new self($run, $requests, $flame->damaged());
    }

    /** @throws StoreError */
    public function save(RunFolder $store): RunId
    {
        return $store->save($this->run->profile(), self::SOURCE, null, $this->run->meta()->toArray(), $this->run->tree());
    }

    /** "shop 1.5 GET /users/{id}". */
    private static function title(Selection $which): string
    {
        $parts = [$which->service, $which->env, $which->release, $which->host, $which->route, ...array_map(
            static fn (int|string $name, string $value): string => "$name=$value",
            array_keys($which->labels),
            $which->labels,
        )];
        $parts = array_filter($parts, static fn (string $part): bool => $part !== '');

        return Text::printable(implode(' ', $parts));
    }
}

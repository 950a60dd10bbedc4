<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Fleet\Shipment;
use XHProf\Run\RunFile;
use XHProf\Run\RunFileWriter;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\ClickHouse;
use XHProf\Tools\Servers\Folder;

/** The run folders of simulated hosts, one for each host and release, which bin/xhprof ship sends as on a host of its own. */
final class Hosts
{
    private readonly string $folder;

    /** @var array<string, array{host: string, release: string, runs: int}> by folder */
    private array $folders = [];

    public function __construct()
    {
        $this->folder = sys_get_temp_dir() . '/xhprof-fleet-' . bin2hex(random_bytes(5));
        mkdir($this->folder, 0o700);
    }

    public function __destruct()
    {
        Folder::remove($this->folder);
    }

    /** Puts the run into the folder of its host and release, as the extension would. */
    public function save(Shipment $shipment): void
    {
        $origin = $shipment->run->meta()->origin;
        $of = ['host' => (string) $origin->host, 'release' => (string) $origin->release];
        $folder = "$this->folder/$of[host]-$of[release]";
        if (!isset($this->folders[$folder])) {
            mkdir($folder);
            $this->folders[$folder] = $of + ['runs' => 0];
        }
        $this->folders[$folder]['runs']++;
        self::write($folder, $shipment);
    }

    /** Writes the run into a run folder. */
    public static function write(string $folder, Shipment $shipment): void
    {
        $id = $shipment->run->id ?? throw new \LogicException('a window without a name');
        $window = $shipment->run->meta()->window;
        $tree = $shipment->tree();
        (new RunFolder($folder))->save($tree->toEdges(), $id->source, $id->id, [
            'ts' => $shipment->from(),
            'duration_us' => (int) (1e6 * ($shipment->to() - $shipment->from())),
            'start' => 'aggregate',
            'mode' => 'aggregate',
            'php' => $shipment->run->meta()->origin->php,
            'aggregate' => $window?->toArray(),
        ] + RunMeta::ofSamples('wall', $window?->samples() ?? 0, $shipment->interval()), $tree);
        // The store writes none.
        $path = "$folder/{$id->fileName()}";
        $file = RunFile::open($path);
        $documents = array_combine($file->documents(), array_map($file->document(...), $file->documents()));
        file_put_contents($path, RunFileWriter::bytes(['exemplars' => KeptRequests::document($shipment)] + $documents));
    }

    /**
     * One after the other, the older release first.
     *
     * @return \Generator<int, int> runs that were confirmed
     */
    public function ship(ClickHouse $server): \Generator
    {
        uasort($this->folders, static fn (array $a, array $b): int
            => [$a['release'], $a['host']] <=> [$b['release'], $b['host']]);
        foreach ($this->folders as $folder => ['host' => $host, 'release' => $release, 'runs' => $runs]) {
            $command = XhprofCommand::run([
                'ship', '--once', '--quiet', "--to={$server->url()}",
                '--service=' . Plan::SERVICE, '--env=production', "--release=$release", "--host=$host",
                "--output-dir=$folder", "--state=$folder-state",
            ], 'writer');
            if ($command->exitCode !== 0) {
                throw new \RuntimeException("bin/xhprof ship fails for $host: $command->out$command->err");
            }
            yield $runs;
        }
    }
}

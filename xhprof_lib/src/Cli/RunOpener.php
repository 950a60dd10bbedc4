<?php

declare(strict_types=1);

namespace XHProf\Cli;

use XHProf\Exception\RunNotFound;
use XHProf\Store\RunFile;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunStore;

/** Finds what the user calls a run: an id or the beginning of one, "latest", or the path of a .xhprof file. */
final class RunOpener
{
    public const HELP = 'A run: its id or the beginning of it, "latest", or the path of a .xhprof file';

    public function __construct(private readonly RunStore $store)
    {
    }

    /**
     * @param string|null $source only runs of this source
     * @throws \XHProf\Exception\XHProfException when there is none, several, or it is damaged
     */
    public function open(string $name, ?string $source = null): OpenedRun
    {
        if (str_contains($name, '/') || str_ends_with($name, '.xhprof')) {
            return $this->openFile($name);
        }
        $id = $name === 'latest' ? $this->latest($source) : $this->store->find($name, $source);

        return self::openStored($this->store, $id);
    }

    private function openFile(string $path): OpenedRun
    {
        if (!is_file($path)) {
            // the name of a file in the run folder, as `ls` shows it
            $id = RunId::fromFileName($path);
            if ($id !== null && $this->store->has($id)) {
                return self::openStored($this->store, $id);
            }
        }
        $id = RunId::fromFileName(basename($path));
        $folder = new RunStore(dirname($path));
        if ($id !== null && $folder->has($id)) {
            return self::openStored($folder, $id);
        }

        return new OpenedRun(RunFile::read($path), new RunMeta(), null, $path, $folder);
    }

    private static function openStored(RunStore $store, RunId $id): OpenedRun
    {
        $profile = $store->load($id);
        $file = $store->directory() . '/' . $id->fileName();

        return new OpenedRun($profile, $store->meta($id), $id, $file, $store);
    }

    private function latest(?string $source): RunId
    {
        foreach ($this->store->list() as $summary) {
            if ($source === null || $summary->id->source === $source) {
                return $summary->id;
            }
        }
        throw new RunNotFound(
            'there is no run' . ($source === null ? '' : " of the source $source") . " in {$this->store->directory()}",
        );
    }
}

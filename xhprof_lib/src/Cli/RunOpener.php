<?php

declare(strict_types=1);

namespace XHProf\Cli;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
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
        if (str_contains($name, '/') || (str_ends_with($name, '.xhprof') && is_file($name))) {
            return $this->openFile($name);
        }
        $file = RunId::fromFileName($name);
        if ($file !== null && $this->store->has($file)) {
            return self::stored($this->store, $file);
        }

        $id = $name === 'latest' ? $this->latest($source) : $this->store->find($name, $source);

        return self::stored($this->store, $id);
    }

    /**
     * The figures count also where the metadata is damaged.
     *
     * @throws \XHProf\Exception\XHProfException when it is damaged
     */
    public static function stored(RunStore $store, RunId $id): OpenedRun
    {
        $file = $store->directory() . '/' . $id->fileName();
        $profile = $store->load($id);
        $damage = null;
        try {
            $meta = $store->meta($id);
        } catch (DamagedRun | StoreError $error) {
            $meta = new RunMeta(id: $id->id, source: $id->source);
            $damage = $error->getMessage();
        }

        return new OpenedRun($profile, $meta, $id, $file, $store, $damage);
    }

    private function openFile(string $path): OpenedRun
    {
        $id = RunId::fromFileName(basename($path));
        $folder = new RunStore(dirname($path));

        return $id !== null && $folder->has($id)
            ? self::stored($folder, $id)
            : new OpenedRun(RunFile::read($path), new RunMeta(), null, $path, $folder);
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

<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\XHProfException;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Store\RunFolder;

/** Finds the runs that a command line names, and puts those of one subject together. */
final class Subjects
{
    /** @var array<string, Subject> */
    private array $subjects = [];

    private int $runs = 0;

    /** @var array<string, true> paths of the runs: one that is named twice is one */
    private array $paths = [];

    private function __construct()
    {
    }

    /**
     * @param list<string> $names ids, their beginnings, "latest", files, folders; several with commas
     *
     * @return array<string, Subject> by name, sorted
     *
     * @throws XHProfException for a run that is not there or cannot be read
     */
    public static function find(RunFolder $store, array $names, ?string $source): array
    {
        $found = new self();
        foreach ($names as $name) {
            $count = $found->runs;
            if (is_dir($name)) {
                $found->addFolder(new RunFolder($name), $source);
            } else {
                $run = $store->named($name, $source);
                foreach ($run instanceof MeanRun ? $run->open : [self::opener($store, $run, $name)] as $open) {
                    $found->add($open(), $open, $store);
                }
            }
            if ($found->runs === $count) {
                throw new RunNotFound("there is no run in $name");
            }
        }
        ksort($found->subjects, SORT_STRING);

        return $found->subjects;
    }

    /** @return \Closure(): Run that opens it again, whatever is "latest" then */
    private static function opener(RunFolder $store, Run $run, string $name): \Closure
    {
        $id = $run->id;

        return $id !== null && !is_file($name) ? static fn (): Run => $store->open($id) : static fn (): Run => $store->named($name);
    }

    private function addFolder(RunFolder $folder, ?string $source): void
    {
        foreach (array_reverse($folder->list()) as $entry) {
            if ($source !== null && $entry->id->source !== $source) {
                continue;
            }
            if ($entry->error !== null) {
                throw new DamagedRun($entry->error);
            }
            $this->add($folder->open($entry->id), static fn (): Run => $folder->open($entry->id), $folder);
        }
    }

    /** @param \Closure(): Run $open */
    private function add(Run $run, \Closure $open, ?RunFolder $folder): void
    {
        $this->runs++;
        if ($run->path !== '' && isset($this->paths[$run->path])) {
            return;
        }
        $this->paths[$run->path] = true;
        $tags = $folder === null || $run->id === null || !$folder->has($run->id) ? [] : $folder->label($run->id)->tags;
        $window = $run->meta()->window;
        if ($window === null) {
            $name = Traits::subject($run->meta());
            $this->put($name, static fn (): Measured => new MeasuredRun($open(), $name), new Traits($run->meta(), '', $tags));

            return;
        }
        foreach ($window->routes() as $route) {
            $figures = $window->routeStats($route);
            if ($figures !== null) {
                $measured = static fn (): Measured => new MeasuredRoute($open(), $route, $figures);
                $this->put($route, $measured, new Traits($run->meta(), $route, $tags));
            }
        }
    }

    /** @param \Closure(): Measured $open */
    private function put(string $name, \Closure $open, Traits $traits): void
    {
        $this->subjects[$name] = ($this->subjects[$name] ?? new Subject($name, [], []))->with($open, $traits);
    }
}

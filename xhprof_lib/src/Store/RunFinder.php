<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\AmbiguousRun;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;

/**
 * Finds the one run that an abbreviated name means.
 *
 * @internal
 */
final class RunFinder
{
    public function __construct(private readonly RunFolder $folder, private readonly RunStore $store)
    {
    }

    /**
     * @param string $idOrPrefix an id, its beginning, or "id.source"
     *
     * @throws InvalidRunId|RunNotFound|AmbiguousRun|StoreError
     */
    public function find(string $idOrPrefix, ?string $source): RunId
    {
        [$aggregate, $kept] = Exemplars::split($idOrPrefix);
        $found = $this->findFile($aggregate, $source);
        if ($kept === '') {
            return $found;
        }
        $id = RunId::fromStrings($found->id . $kept, $found->source);

        return $this->store->has($id) ? $id : throw $this->folder->notFound($id);
    }

    /** @throws InvalidRunId|RunNotFound|AmbiguousRun|StoreError */
    private function findFile(string $idOrPrefix, ?string $source): RunId
    {
        if ($source === null && str_contains($idOrPrefix, '.')) {
            [$idOrPrefix, $source] = explode('.', $idOrPrefix, 2);
        }
        RunId::fromStrings($idOrPrefix, $source ?? 'any');
        $exact = [];
        $beginning = [];
        foreach ($this->folder->files->names() as $name) {
            $id = str_starts_with($name, $idOrPrefix) ? RunId::fromFileName($name) : null;
            if ($id === null || ($source !== null && $id->source !== $source) || !$this->folder->has($id)) {
                continue;
            }
            $beginning[(string) $id] = $id;
            if ($id->id === $idOrPrefix) {
                $exact[(string) $id] = $id;
            }
        }
        $found = array_values($exact === [] ? $beginning : $exact);
        if ($found === []) {
            $of = $source === null ? '' : " of the source $source";
            throw new RunNotFound("there is no run $idOrPrefix$of in {$this->folder->files->path}");
        }
        if (count($found) > 1) {
            sort($found);
            $some = implode(', ', array_slice($found, 0, 3)) . (count($found) > 3 ? '...' : '');
            throw new AmbiguousRun("$idOrPrefix stands for " . count($found) . " runs: $some");
        }

        return $found[0];
    }
}

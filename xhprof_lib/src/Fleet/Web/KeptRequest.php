<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Exception\InvalidProfile;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\KeptRequests;
use XHProf\Import\ImportedRun;
use XHProf\Import\JsonRunReader;
use XHProf\Run\RunMeta;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/** A single request that a host has kept and the store has whole: untrusted, as a file that somebody imports. */
final class KeptRequest
{
    /** In the place of a run's name: the slowest of the selection. Names of runs have a dot. */
    public const SLOWEST = 'slowest';

    private function __construct(public readonly string $run, public readonly ImportedRun $imported, public readonly RunMeta $meta)
    {
    }

    /** What was requested. */
    public function title(): string
    {
        return $this->meta->origin->route ?? $this->run;
    }

    /** @return array<array-key, mixed> in the shape of RunMeta::fromArray(), for a run of its own */
    public function savedMeta(): array
    {
        return ['name' => $this->title(), 'meta' => ['fleet' => ['run' => $this->run]]] + $this->imported->meta;
    }

    /**
     * @param Request $request its parameter `kept` names it, or is SLOWEST
     *
     * @return self|null null if none of the selection was kept
     *
     * @throws HttpError 404, 503
     */
    public static function read(Client $client, FleetQuery $query, Request $request): ?self
    {
        $run = $request->text('kept');
        $kept = new KeptRequests($client);
        if ($run === self::SLOWEST) {
            $run = $kept->slowest($query->selection, 1)[0]['run'] ?? null;
            if ($run === null) {
                return null;
            }
        }
        $file = $kept->file($query->selection, $run)
            ?? throw new HttpError(404, 'The store has no such request in this selection. It may have expired.');
        try {
            $imported = JsonRunReader::parse($file);
        } catch (InvalidProfile $e) {
            throw new HttpError(503, 'This request cannot be read: ' . $e->getMessage() . '.', $e);
        }

        return new self($run, $imported, RunMeta::fromArray($imported->meta));
    }
}

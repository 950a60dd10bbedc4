<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunOpener;

/**
 * get=tree, get=timeline, get=operations and get=samples: a document of a run as JSON, for people's programs; see Documents. With
 * corrected=1 a tree has its corrected times.
 */
final class DocumentEndpoint
{
    public function __construct(private readonly RunOpener $runs, private readonly string $kind, private readonly string $document)
    {
    }

    /** @throws HttpError 404 if the run has none */
    public function respond(Request $request): Response
    {
        $documents = new Documents($this->runs, $request);
        $document = $documents->named($this->document);
        if ($document === null) {
            return $documents->missing($this->document);
        }
        $members = $document->unread();
        if ($this->document === 'tree') {
            $hasOwn = ($members['correctable'] ?? []) === [];
            $members = match (true) {
                !$request->flag('corrected') => array_diff_key($members, ['corrected' => true]),
                $hasOwn => $members,
                default => $members + ['corrected' => $documents->named('corrected')?->toArray() ?? []],
            };
        }

        return JsonResponse::stream($this->kind, $members);
    }
}

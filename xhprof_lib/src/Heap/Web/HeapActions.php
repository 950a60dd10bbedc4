<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\Snapshots;
use XHProf\Store\SnapshotName;
use XHProf\Web\Http\Flash;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TimeLabel;
use XHProf\Web\Templates;

/** Actions of the form in the list of heap snapshots, sent by POST: see Csrf. */
final class HeapActions
{
    private const MAX_PICKED = 1000;

    public function __construct(private readonly Snapshots $snapshots, private readonly Templates $view)
    {
    }

    /** @throws HttpError 400, 403, 500 */
    public function respond(Request $request): Response
    {
        $picked = array_values(array_unique($request->postedValues('pick')));

        return match ($request->posted('do')) {
            'compare' => $this->compare($picked),
            'delete' => $this->delete($request, $picked),
            default => throw new HttpError(400, 'This form has no known action.'),
        };
    }

    /**
     * @param list<string> $picked
     * @throws HttpError
     */
    public function compare(array $picked): Response
    {
        if (count($picked) !== 2) {
            throw new HttpError(400, 'A comparison needs two snapshots: pick two from the list.');
        }
        [$before, $after] = $picked;
        if ($this->time($before) > $this->time($after)) {
            [$before, $after] = [$after, $before];
        }

        return Response::redirect(HeapUrl::diff($before, $after));
    }

    private function time(string $name): float
    {
        return $this->snapshots->size($name) === null ? 0.0 : $this->snapshots->head($name)->time() ?? 0.0;
    }

    /**
     * @param list<string> $picked
     * @throws HttpError
     */
    private function delete(Request $request, array $picked): Response
    {
        if ($picked === [] || count($picked) > self::MAX_PICKED) {
            throw new HttpError(400, $picked === [] ? 'Pick at least one snapshot first.'
                : 'At most ' . self::MAX_PICKED . ' snapshots at a time.');
        }
        if (array_filter($picked, SnapshotName::isName(...)) !== $picked) {
            throw new HttpError(400, 'This is not the name of a heap snapshot.');
        }
        if (!$this->snapshots->isWritable()) {
            throw new HttpError(403, 'The web server may only read the run folder: nothing can be changed here.');
        }
        $back = preg_match('/\A[1-9][0-9]{0,5}\z/', $request->posted('back')) === 1 ? $request->posted('back') : '1';
        $files = array_filter($this->snapshots->all(), static fn (array $file): bool => in_array($file['name'], $picked, true));
        if ($request->posted('sure') !== '1') {
            return $this->view->page('heap_delete.html.twig', [
                'rows' => array_map($this->line(...), array_values($files)),
                'back' => $back,
                'back_url' => HeapUrl::list((int) $back),
            ]);
        }
        $done = 0;
        foreach ($files as $file) {
            if (!$this->snapshots->delete($file['name'])) {
                throw new HttpError(500, "The heap snapshot {$file['name']} cannot be deleted: the web server may not.");
            }
            $done++;
        }

        return Flash::set(Response::seeOther(HeapUrl::list((int) $back)), $request, 'removed', $done);
    }

    /**
     * @param array{name: string, size: int, mtime: int} $file
     * @return array<string, mixed>
     */
    private function line(array $file): array
    {
        $head = $this->snapshots->head($file['name']);

        return [
            'pick' => $file['name'],
            'title' => $head->title($file['name']),
            'size' => Cells::value($file['size'], ShownMetric::heap('bytes')),
            'time' => TimeLabel::of($head->time() ?? (float) $file['mtime']),
        ];
    }
}

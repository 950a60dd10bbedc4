<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\InvalidLabel;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Store\RunEntry;
use XHProf\Web\Http\Flash;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;

/** Actions of the forms in the run list, sent by POST: see Csrf. */
final class RunActions extends StorePage
{
    private const MAX_PICKED = 1000;

    /** @throws HttpError 400, 403, 404, 500 */
    public function respond(Request $request): Response
    {
        $picked = $this->picked($request);
        $do = $request->posted('do');
        if (in_array($do, ['compare', 'mean', 'a', 'b', 'all-a', 'all-b'], true)) {
            $list = RunFilter::fromText($request->posted('back'));
            $all = str_starts_with($do, 'all-') ? $this->runs->store->catalog()->ids($list->query) : $picked;
            // The chosen side comes with the form; the filter stays while the other one is chosen.
            return (new PickedRuns($this->runs, $this->view))->open(
                $all,
                str_replace('all-', '', $do),
                ComparisonSide::fromRequest($request),
                $list->state(),
            );
        }
        if ($picked === []) {
            throw new HttpError(400, 'Pick at least one run first.');
        }
        if (!$this->runs->store->isWritable()) {
            throw new HttpError(403, 'The web server may only read the run folder: nothing can be changed here.');
        }
        try {
            return match ($do) {
                'delete' => $this->delete($request, $picked),
                'pin', 'unpin' => $this->pin($request, $picked, $do === 'pin'),
                'tag', 'untag' => $this->tag($request, $picked, $do === 'tag'),
                'label' => $this->label($request, $picked[0]),
                default => throw new HttpError(400, 'This form has no known action.'),
            };
        } catch (StoreError $e) {
            throw new HttpError(500, 'This could not be done: ' . $this->runs->publicText($e) . '.', $e);
        }
    }

    /**
     * @param non-empty-list<RunId> $picked
     * @throws StoreError
     */
    private function delete(Request $request, array $picked): Response
    {
        $runs = array_values(array_filter(array_map($this->runs->store->catalog()->entry(...), $picked)));
        $pinned = array_filter($runs, static fn (RunEntry $run): bool => $run->label->pinned);
        if ($request->posted('sure') !== '1') {
            $lines = new RunLines($this->runs, RunFilter::fromText($request->posted('back')));

            return $this->view->page('delete.html.twig', [
                'rows' => $lines->of($runs),
                'pinned' => count($pinned),
                'back' => $request->posted('back'),
                'back_url' => $this->backUrl($request),
            ]);
        }
        $withPinned = $request->posted('pinned_too') === '1';
        $done = 0;
        $failure = null;
        foreach ($runs as $run) {
            if ($run->label->pinned && !$withPinned) {
                continue;
            }
            try {
                $this->runs->store->delete($run->id);
                $done++;
            } catch (RunNotFound) {
                // Another process has removed it already.
            } catch (StoreError $e) {
                $failure ??= $e;
            }
        }
        if ($failure !== null) {
            throw $failure;
        }

        return $this->redirect($request, 'deleted', $done, $withPinned ? 0 : count($pinned));
    }

    /** @param non-empty-list<RunId> $picked */
    private function pin(Request $request, array $picked, bool $pinned): Response
    {
        $done = $this->changeLabels($picked, static fn (Label $label): Label => $label->withPinned($pinned));

        return $this->redirect($request, $pinned ? 'pinned' : 'unpinned', $done);
    }

    /** @param non-empty-list<RunId> $picked */
    private function tag(Request $request, array $picked, bool $add): Response
    {
        $tags = self::tags($request->posted('tag'));
        if ($tags === []) {
            throw new HttpError(400, 'Type the tag first.');
        }
        try {
            $done = $this->changeLabels($picked, static fn (Label $label): Label => $add
                ? $label->withTags($tags)
                : $label->withTags([], $tags));
        } catch (InvalidLabel $e) {
            throw new HttpError(400, $e->getMessage(), $e);
        }

        return $this->redirect($request, $add ? 'tagged' : 'untagged', $done);
    }

    /** The form of one run's label; shown again with the input if that is invalid. */
    private function label(Request $request, RunId $id): Response
    {
        try {
            $label = Label::fromInput(
                $request->posted('pinned') === '1',
                self::tags($request->posted('tags')),
                $request->posted('note'),
            );
            $this->runs->store->setLabel($id, $label);
        } catch (InvalidLabel $e) {
            return (new LabelPage($this->runs, $this->view))->again($request, $id, $e->getMessage());
        } catch (RunNotFound $e) {
            throw new HttpError(404, "There is no run $id->id with the source $id->source. It may have been deleted.", $e);
        }

        return $request->posted('to') === 'run'
            ? Response::seeOther(Url::index(Url::runParameters($id)))
            : $this->redirect($request, 'saved', 1);
    }

    /**
     * @param non-empty-list<RunId> $picked
     * @param \Closure(Label): Label $change
     * @return int runs that were changed
     */
    private function changeLabels(array $picked, \Closure $change): int
    {
        $done = 0;
        foreach ($picked as $id) {
            try {
                $this->runs->store->setLabel($id, $change($this->runs->store->label($id)));
                $done++;
            } catch (RunNotFound) {
                // The run was deleted meanwhile.
            }
        }

        return $done;
    }

    /** @param 'deleted'|'pinned'|'unpinned'|'tagged'|'untagged'|'saved' $code */
    private function redirect(Request $request, string $code, int $done, int $left = 0): Response
    {
        return Flash::set(Response::seeOther($this->backUrl($request)), $request, $code, $done, $left);
    }

    /** Puts only parameters of the list into the address. */
    private function backUrl(Request $request): string
    {
        $text = $request->posted('back');
        parse_str($text, $parameters);
        $page = (new Request('GET', array_filter($parameters, is_string(...))))->number('page', 1);

        return Url::index(RunFilter::fromText($text)->state() + ['page' => $page > 1 ? $page : null]);
    }

    /**
     * @return list<RunId>
     * @throws HttpError
     */
    private function picked(Request $request): array
    {
        $values = array_values(array_unique($request->postedValues('pick')));
        if (count($values) > self::MAX_PICKED) {
            throw new HttpError(400, 'At most ' . self::MAX_PICKED . ' runs at a time.');
        }
        return PickedRuns::named($values);
    }

    /** @return list<string> */
    private static function tags(string $typed): array
    {
        return array_values(array_filter(array_map(trim(...), explode(',', $typed)), static fn (string $tag): bool => $tag !== ''));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\RunNotFound;
use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;

/**
 * index.php?view=label: the form for pin, tags and note of one run.
 *
 * Parameters: run, source, back (the list to return to), to ("run" to return to the run's page instead).
 */
final class LabelPage extends StorePage
{
    /** @throws HttpError 400, 404 */
    public function respond(Request $request): Response
    {
        [$ids] = $this->runs->identify($request->text('run'), $request->text('source'));
        if (count($ids) > 1) {
            throw new HttpError(400, 'A label belongs to one run.');
        }
        try {
            $label = $this->runs->store->label($ids[0]);
        } catch (RunNotFound $e) {
            throw new HttpError(404, "There is no run {$ids[0]->id} with the source {$ids[0]->source}.", $e);
        }
        $values = ['pinned' => $label->pinned, 'tags' => implode(', ', $label->tags), 'note' => $label->note];
        $mistake = $label->error === null ? null : "The saved label cannot be read ($label->error): saving replaces it.";

        return $this->page($ids[0], $values, [$request->text('back'), $request->text('to')], $mistake, 200);
    }

    /** The form again with the invalid input. */
    public function again(Request $request, RunId $id, string $mistake): Response
    {
        $values = [
            'pinned' => $request->posted('pinned') === '1',
            'tags' => $request->posted('tags'),
            'note' => $request->posted('note'),
        ];

        return $this->page($id, $values, [$request->posted('back'), $request->posted('to')], $mistake, 400);
    }

    /**
     * @param array{pinned: bool, tags: string, note: string} $values
     * @param array{string, string} $links back and to
     */
    private function page(RunId $id, array $values, array $links, ?string $mistake, int $status): Response
    {
        [$back, $to] = $links;
        $run = $this->runs->store->catalog()->entry($id)
            ?? throw new HttpError(404, "There is no run $id->id with the source $id->source.");

        return $this->view->page('label.html.twig', [
            'run' => (new RunLines($this->runs, RunFilter::fromText($back)))->line($run),
            'values' => $values,
            'mistake' => $mistake,
            'back' => $back,
            'to' => $to === 'run' ? 'run' : '',
            'list_url' => Url::index(RunFilter::fromText($back)->state()),
            'back_url' => Url::index($to === 'run' ? Url::runParameters($id) : RunFilter::fromText($back)->state()),
            'is_writable' => $this->runs->store->isWritable(),
            'known_tags' => $this->runs->store->catalog()->choices()['tags'],
            'longest_note' => Label::LONGEST_NOTE,
        ], $status);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Exception\XHProfException;
use XHProf\Functions\FunctionLines;
use XHProf\Functions\FunctionPlaces;
use XHProf\Profile\CallTree;
use XHProf\Run\Run;
use XHProf\Source\PathMap;
use XHProf\Source\SourceFiles;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\BorrowedLines;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Source\EditorLink;
use XHProf\Web\Source\PlaceLinks;
use XHProf\Web\Source\SourceView;

/** Where a function's code is, its source, and the lines from which it calls others. */
final class SymbolSource
{
    private readonly FunctionPlaces $places;
    private readonly EditorLink $editor;
    private readonly PlaceLinks $links;

    /** @param RunOpener|null $runs where a sampled run of the same program may be, whose lines an exact one has then too */
    public function __construct(
        private readonly ShownRun $set,
        private readonly string $symbol,
        private readonly Request $request,
        private readonly ?RunOpener $runs = null,
    ) {
        $tree = $this->smallTree();
        $this->places = $tree === null ? FunctionPlaces::ofRun($set->run) : FunctionPlaces::ofTree($tree);
        $this->editor = EditorLink::fromRequest($request);
        $this->links = new PlaceLinks($this->places, $this->editor);
    }

    /** @return array{text: string, title: string, url: ?string}|null see PlaceLinks */
    public function placeOf(string $function): ?array
    {
        return $this->links->find($function);
    }

    /** @return int the line of the function that first called this callee; 0: not known */
    public function callLine(string $callee): int
    {
        return $this->places->callLine($this->symbol, $callee);
    }

    /**
     * @param list<string> $callees the costliest first
     *
     * @return array{place: array<string, mixed>|null, source: array<string, mixed>|null, allowed: bool}
     */
    public function variables(array $callees): array
    {
        $place = $this->places->find($this->symbol);
        $files = SourceFiles::below(
            $this->request->setting(SourceFiles::ROOTS),
            PathMap::parse($this->request->setting(EditorLink::MAP)),
        );
        if ($place === null) {
            return ['place' => null, 'source' => null, 'allowed' => $files->isAllowed()];
        }
        $view = new SourceView($files);
        $calls = $this->calls($callees);
        $lines = array_filter(array_map($this->callLine(...), $callees));
        $times = $this->times();
        $borrowed = $times === null && $this->runs !== null && $files->isAllowed() && $this->isExact()
            ? BorrowedLines::find($this->runs, $this->set, $this->symbol, $place)
            : null;
        $times ??= $borrowed?->lines;
        $source = $view->variables($place, $times, $calls, $this->set->run->meta()->ts, array_values($lines)[0] ?? 0);

        return [
            'place' => [
                'file' => $place->file,
                'extension' => $place->extension(),
                'line' => $place->line,
                'last_line' => $place->lastLine,
                'url' => $this->editor->url($place),
            ],
            'source' => $source === null || $borrowed === null ? $source : $source + ['from' => $borrowed->origin($this->symbol)],
            'allowed' => $files->isAllowed(),
        ];
    }

    /**
     * @param list<string> $callees
     *
     * @return array<int, list<array{name: string, url: string}>> by line
     */
    private function calls(array $callees): array
    {
        $calls = [];
        foreach ($callees as $callee) {
            $line = $this->callLine($callee);
            if ($line > 0) {
                $url = Url::index($this->set->parameters() + Url::symbolParameter($callee));
                $calls[$line][] = ['name' => $callee, 'url' => $url];
            }
        }

        return $calls;
    }

    /** Whether it is one run that recorded calls. */
    private function isExact(): bool
    {
        return !$this->set->isMean() && $this->set->range === null && $this->set->whole()->meta()->recording->samples === null;
    }

    private function times(): ?FunctionLines
    {
        try {
            $samples = $this->set->whole()->samplesThatFit();
        } catch (XHProfException) {
            return null; // SymbolLines says so
        }

        return $samples === null ? null : FunctionLines::compute($samples, $this->symbol);
    }

    /** The call tree, where reading it does not delay the page. */
    private function smallTree(): ?CallTree
    {
        if ($this->set->isMean() || $this->set->run->numbers(Run::TREE) > SymbolPaths::SMALL) {
            return null;
        }
        try {
            return $this->set->whole()->tree();
        } catch (XHProfException) {
            return null; // SymbolPaths says so
        }
    }
}

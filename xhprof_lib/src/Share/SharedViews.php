<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Compare\Web\DiffEndpoint;
use XHProf\Compare\Web\DiffPair;
use XHProf\Compare\Web\MeanEndpoint;
use XHProf\Compare\Web\NamesEndpoint;
use XHProf\Format\Units;
use XHProf\Functions\Web\FunctionsEndpoint;
use XHProf\Profile\PrunedTree;
use XHProf\Store\RunFolder;
use XHProf\Web\Api\ColumnsEndpoint;
use XHProf\Web\Http\Request;
use XHProf\Web\Run\PageTable;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\Subject;
use XHProf\Web\Templates;

/**
 * The views of a run, of the mean of several, or of a comparison, as the document of a file: each is what its page shows, and the
 * answers are those of api.php.
 */
final class SharedViews
{
    /** Views that need the server, or a library that is larger than the file may be. */
    private const LEFT_OUT = ['graph', 'export'];

    /** Name of the view that an address has without `view`. */
    private const FIRST = 'functions';

    private const OPTIONAL_STYLES = ['flame.css', 'operations.css', 'compare.css', 'routes.css', 'heap.css'];

    private const ASKED = '~\sdata-[a-z-]+="(api\.php\?[^"]*)"~';

    /** Addresses to which scripts add the name of a function. */
    private const FUNCTION_LINK = '~\sdata-(link|function)="index\.php[^"]*"~';

    /** What scripts draw of a run, of several, and of a run in a file that must be smaller. */
    private const OF_ONE = 'tree,corrected,timeline,stacks,operations';
    private const OF_SEVERAL = 'tree';
    private const WITHOUT_TIMES = 'tree,corrected';

    /**
     * @param array<string, string> $parameters that name the run, or both sides
     * @param string|null $roots see Html
     */
    public function __construct(
        private readonly RunFolder $store,
        private readonly PageTable $pages,
        private readonly Templates $view,
        private readonly GivenRuns $given,
        private readonly array $parameters,
        private readonly ?string $roots = null,
    ) {
    }

    /** Number of call paths of the largest tree. */
    public function nodes(): int
    {
        return max([0, ...array_map(static fn (\XHProf\Run\Run $run): int => $run->nodes(), array_values($this->given->all()))]);
    }

    public function document(Detail $detail): Document
    {
        [$given, $merged] = $this->given->within($detail);
        $runs = new RunOpener($this->store, $this->pages, $given);
        $request = new Request('GET', $this->parameters);
        $isComparison = Subject::named($request) === Subject::Comparison;
        [$head, $tabs, $frame, $title] = $isComparison ? $this->comparison($runs, $request) : $this->run($runs, $request);
        $html = [];
        foreach ($tabs as $tab) {
            parse_str(explode('?', $tab['url'], 2)[1] ?? '', $asked);
            $name = is_string($asked['view'] ?? null) ? $asked['view'] : self::FIRST;
            if (!in_array($name, self::LEFT_OUT, true)) {
                $page = new Request('GET', $asked + ['paths' => '1']);
                $class = $this->pages->page($page)->page;
                $html[$name] = [$tab, (new $class($runs, $this->view))->respond($page)->content()];
            }
        }
        $isPart = $merged > 0 || !$detail->times;
        $names = array_keys($html);
        $names = $isPart ? array_values(array_diff($names, ['timeline'])) : $names;
        $links = new FileLinks($names, $isComparison ? 'run1' : 'run');
        $panes = [];
        foreach ($names as $name) {
            [$tab, $markup] = $html[$name];
            $markup = preg_replace(self::FUNCTION_LINK, ' data-$1="?"', $links->rewritten($markup)) ?? '';
            $panes[] = new Pane($name, $tab['label'], $tab['key'], $markup, self::isDrawn($markup));
        }
        if ($this->roots !== null && !$isComparison) {
            $source = (new SharedSource($this->view, $this->roots))->of($runs->named($request));
            $panes[] = new Pane('source', 'Source', 'u', $links->rewritten($source));
        }
        $all = implode('', array_map(static fn (Pane $pane): string => $pane->html, $panes));
        $answers = [...$this->answers($runs, $all, $detail), ...($isComparison || !$detail->calls ? [] : [
            new Answer('api.php?get=calls', true, CallsAnswer::of($runs->named($request)->run->profile())),
        ])];

        return new Document(
            $title,
            $isComparison ? 'comparison' : 'run',
            $isComparison ? 'pages/standalone-diff.js' : 'pages/standalone.js',
            self::OPTIONAL_STYLES,
            $links->rewritten($head),
            $panes,
            $answers,
            self::leftOut($merged, $detail, $names, array_keys($html)),
            $frame,
        );
    }

    /** @return array{string, list<array{label: string, url: string, key: string, ...}>, array<string, mixed>, string} */
    private function run(RunOpener $runs, Request $request): array
    {
        $set = $runs->named($request);
        $top = RunHeader::top($runs, $set, $request, '');
        $frame = ['counted' => $set->counted(), 'find' => $top['find']];

        return [$this->view->render('run_top.html.twig', $top), $top['tabs'], $frame, $set->title()];
    }

    /** @return array{string, list<array{label: string, url: string, key: string, ...}>, array<string, mixed>, string} */
    private function comparison(RunOpener $runs, Request $request): array
    {
        $pair = DiffPair::named($request, $runs);
        $top = $pair->top($request, '');
        $titles = array_map(static fn (ShownRun $set): string => $set->title(), [$pair->before, $pair->after]);
        $title = 'Comparison: ' . implode(' and ', array_unique($titles));

        return [$this->view->render('diff_top.html.twig', $top), $top['tabs'], ['counted' => $pair->counted()], $title];
    }

    /** @return list<Answer> to what the markup asks for */
    private function answers(RunOpener $runs, string $html, Detail $detail): array
    {
        preg_match_all(self::ASKED, $html, $found);
        $answers = [];
        foreach (array_unique($found[1]) as $escaped) {
            $address = html_entity_decode($escaped, ENT_QUOTES, 'UTF-8');
            parse_str(explode('?', $address, 2)[1] ?? '', $asked);
            $request = new Request('GET', $asked);
            $get = $request->text('get');
            $isSeveral = str_contains($request->text('run'), ',');
            $documents = match (true) {
                $isSeveral => self::OF_SEVERAL,
                $detail->times => self::OF_ONE,
                default => self::WITHOUT_TIMES,
            };
            $response = match ($get) {
                'functions' => $detail->functions ? (new FunctionsEndpoint($runs))->respond($request) : null,
                'mean', 'aggregate' => (new MeanEndpoint($runs))->respond($request),
                'columns' => (new ColumnsEndpoint($runs))->respond($request->with('documents', $documents)),
                'diff' => (new DiffEndpoint($runs))->respond($request),
                'names' => (new NamesEndpoint($runs))->respond($request),
                default => null,
            };
            if ($response !== null && $response->status === 200) {
                $answers[] = new Answer($address, $get !== 'columns', $response->content());
            }
        }

        return $answers;
    }

    /** Whether a pane shows nothing without scripts. */
    private static function isDrawn(string $html): bool
    {
        return str_contains($html, 'class="island"') && preg_match('~<(?:table|li)\b~', $html) !== 1;
    }

    /**
     * @param list<string> $shown views
     * @param list<string> $views that there are
     *
     * @return list<string>
     */
    private static function leftOut(int $merged, Detail $detail, array $shown, array $views): array
    {
        $lost = array_diff($views, $shown);

        return array_values(array_filter([
            $merged === 0 ? '' : Units::count($merged) . ' of the smallest call paths are merged into ' . PrunedTree::NAME
                . ', so that this file is not too large. The table of functions has all of them.',
            in_array('timeline', $lost, true) ? 'The timeline is left out, so that this file is not too large.' : '',
            $detail->calls ? '' : 'Callers and callees of functions are left out, so that this file is not too large.',
            $detail->functions ? '' : 'Of the functions only the first hundred are in this file, so that it is not too large.',
        ], static fn (string $text): bool => $text !== ''));
    }
}

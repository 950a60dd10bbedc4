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
use XHProf\Web\Api\KindsEndpoint;
use XHProf\Web\Http\Request;
use XHProf\Web\Run\PageTable;
use XHProf\Web\Run\RunFindings;
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

    /** Pictures in which a finding is lit. */
    private const PICTURE = '~<div class="island" data-view="(?:flame|timeline|samples)"~';

    /** Addresses to which scripts add the name of a function. */
    private const FUNCTION_LINK = '~\sdata-(link|function)="index\.php[^"]*"~';

    /** What scripts draw of a run, of several, and of a run in a file that must be smaller. */
    private const OF_ONE = 'tree,corrected,timeline,stacks,operations';
    private const OF_SEVERAL = 'tree';
    private const WITHOUT_TIMES = 'tree,corrected';

    /** Number of calls between functions: more of them are not worth their room. */
    private const MOST_CALLS = 100_000;
    private const CALLS = 'api.php?get=calls';

    /** @var array{string, array<string, mixed>, string, array<string, array{string, string, string}>}|null */
    private ?array $shown = null;

    /** @var array<string, string> JSON by its address, which is the same for any detail */
    private array $made = [];

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
        [$head, $frame, $title, $html] = $this->shown ??= $this->shown();
        $views = array_keys($html);
        $names = $merged > 0 || !$detail->times ? array_values(array_diff($views, ['timeline'])) : $views;
        $links = new FileLinks($names, $this->isComparison() ? 'run1' : 'run');
        $panes = [];
        foreach ($names as $name) {
            [$label, $key, $markup] = $html[$name];
            $markup = preg_replace(self::FUNCTION_LINK, ' data-$1="?"', $links->rewritten($markup)) ?? '';
            $panes[] = new Pane($name, $label, $key, $markup, self::isDrawn($markup));
        }
        $all = implode('', array_map(static fn (Pane $pane): string => $pane->html, $panes));
        $calls = $this->isComparison() || !$detail->calls ? null : $this->calls();

        return new Document(
            $title,
            $this->isComparison() ? 'comparison' : 'run',
            $this->isComparison() ? 'pages/standalone-diff.js' : 'pages/standalone.js',
            self::OPTIONAL_STYLES,
            $links->rewritten($head),
            $panes,
            [...$this->answers($runs, $all, $detail), ...($calls === null ? [] : [$calls])],
            self::leftOut($merged, $this->isComparison() || $calls !== null, $detail, array_diff($views, $names) !== []),
            $frame,
        );
    }

    private function isComparison(): bool
    {
        return Subject::named(new Request('GET', $this->parameters)) === Subject::Comparison;
    }

    /**
     * What the pages show of the whole runs, however much of their trees is in the file.
     *
     * @return array{string, array<string, mixed>, string, array<string, array{string, string, string}>} head, variables of the
     *     frame, title; by name the label, key and markup of each view
     */
    private function shown(): array
    {
        $runs = new RunOpener($this->store, $this->pages, $this->given->all());
        $request = new Request('GET', $this->parameters);
        [$head, $tabs, $frame, $title] = $this->isComparison() ? $this->comparison($runs, $request) : $this->run($runs, $request);
        $html = [];
        foreach ($tabs as $tab) {
            parse_str(explode('?', $tab['url'], 2)[1] ?? '', $asked);
            $name = is_string($asked['view'] ?? null) ? $asked['view'] : self::FIRST;
            if (!in_array($name, self::LEFT_OUT, true)) {
                $page = new Request('GET', $asked + ['paths' => '1']);
                $class = $this->pages->page($page)->page;
                $html[$name] = [$tab['label'], $tab['key'], (new $class($runs, $this->view))->respond($page)->content()];
            }
        }
        if (!$this->isComparison()) {
            $html = self::withFindings($html, RunFindings::allCalls($runs->named($request)));
        }
        if ($this->roots !== null && !$this->isComparison()) {
            $html['source'] = ['Source', 'u', (new SharedSource($this->view, $this->roots))->of($runs->named($request))];
        }

        return [$head, $frame, $title, $html];
    }

    /**
     * A server's page has the calls of the finding in its address; a file has those of all.
     *
     * @param array<string, array{string, string, string}> $html
     *
     * @return array<string, array{string, string, string}>
     */
    private static function withFindings(array $html, string $calls): array
    {
        $lit = ' data-lit="' . htmlspecialchars($calls, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8') . '"';

        return $calls === '[]' ? $html : array_map(static fn (array $view): array => [
            $view[0],
            $view[1],
            preg_replace_callback(self::PICTURE, static fn (array $tag): string => $tag[0] . $lit, $view[2]) ?? $view[2],
        ], $html);
    }

    /** Who calls whom; null of a run with too many of such calls. */
    private function calls(): ?Answer
    {
        if (!isset($this->made[self::CALLS])) {
            $runs = new RunOpener($this->store, $this->pages, $this->given->all());
            $profile = $runs->named(new Request('GET', $this->parameters))->run->profile();
            $this->made[self::CALLS] = count($profile->calls()['caller']) > self::MOST_CALLS ? '' : CallsAnswer::of($profile);
        }

        return $this->made[self::CALLS] === '' ? null : new Answer(self::CALLS, true, $this->made[self::CALLS]);
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
            if (isset($this->made[$address])) {
                $answers[] = new Answer($address, true, $this->made[$address]);
                continue;
            }
            $response = match ($get) {
                'functions' => (new FunctionsEndpoint($runs))->respond($request),
                'mean', 'aggregate' => (new MeanEndpoint($runs))->respond($request),
                'columns' => (new ColumnsEndpoint($runs))->respond($request->with('documents', $documents)),
                'kinds' => (new KindsEndpoint($runs))->respond($request),
                'diff' => (new DiffEndpoint($runs))->respond($request),
                'names' => (new NamesEndpoint($runs))->respond($request),
                default => null,
            };
            if ($response !== null && $response->status === 200) {
                $answers[] = $answer = new Answer($address, $get !== 'columns', $response->content());
                $this->made += $answer->isJson ? [$address => $answer->body] : [];
            }
        }

        return $detail->functions
            ? $answers
            : array_values(array_filter($answers, static fn (Answer $one): bool => !str_contains($one->address, 'get=functions')));
    }

    /** Whether a pane shows nothing without scripts. */
    private static function isDrawn(string $html): bool
    {
        return str_contains($html, 'class="island"') && preg_match('~<(?:table|li)\b~', $html) !== 1;
    }

    /** @return list<string> */
    private static function leftOut(int $merged, bool $hasCalls, Detail $detail, bool $lostTimeline): array
    {
        return array_values(array_filter([
            $merged === 0 ? '' : Units::count($merged) . ' of the smallest call paths are merged into ' . PrunedTree::NAME
                . ', so that this file is not too large. The table of functions has all of them.',
            $lostTimeline ? 'The timeline is left out, so that this file is not too large.' : '',
            $hasCalls ? '' : 'Callers and callees of functions are left out, so that this file is not too large.',
            $detail->functions ? '' : 'Of the functions only the first hundred are in this file, so that it is not too large.',
        ], static fn (string $text): bool => $text !== ''));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\App;

use XHProf\Compare\Web\DiffPage;
use XHProf\Compare\Web\DiffTablesPage;
use XHProf\Compare\Web\MeanPage;
use XHProf\Compare\Web\TrendPage;
use XHProf\Export\Web\ExportPage;
use XHProf\Fleet\Web\FleetForm;
use XHProf\Fleet\Web\FleetPage;
use XHProf\Functions\Web\RunPage;
use XHProf\Functions\Web\SymbolPage;
use XHProf\Functions\Web\Typeahead;
use XHProf\Graph\Web\CallgraphPage;
use XHProf\Graph\Web\GraphPage;
use XHProf\Heap\Web\HeapPage;
use XHProf\Import\Web\ImportPage;
use XHProf\Memory\Web\MemoryPage;
use XHProf\Operations\Web\OperationsPage;
use XHProf\Paths\Web\PathsDiffPage;
use XHProf\Paths\Web\PathsPage;
use XHProf\Paths\Web\TimelinePage;
use XHProf\Requests\Web\RequestsPage;
use XHProf\Run\Run;
use XHProf\Runs\Web\LabelPage;
use XHProf\Runs\Web\PickedRuns;
use XHProf\Runs\Web\RunActions;
use XHProf\Runs\Web\RunListPage;
use XHProf\Web\Run\PageDefinition;
use XHProf\Web\Run\PageTable;
use XHProf\Web\Run\Subject;
use XHProf\WhatIf\Web\WhatIfPage;

/** All pages. The documentation's table (xhprof_html/README.md) is made from this one. */
final class Pages
{
    public static function all(): PageTable
    {
        return new PageTable([...self::ofFolder(), ...self::ofRun(), ...self::ofComparison(), ...self::files()]);
    }

    /** @return list<PageDefinition> */
    private static function ofFolder(): array
    {
        $folder = Subject::Folder;

        return [
            new PageDefinition(
                $folder,
                '',
                PickedRuns::class,
                'index.php?pick[]=ID.S&do=compare',
                'compares, or opens, the runs that were picked in the list',
                with: ['pick', 'do'],
            ),
            new PageDefinition(
                $folder,
                '',
                RunListPage::class,
                'index.php',
                'runs: `q` `only` (source) `host` `url` `route` `start` `status` `tag` `pinned` `from` `to` `last` `min` '
                    . '`sort` `dir` `page`; `a` `b` `with` (ID.SOURCE: a side of a comparison, the other one is still to choose); '
                    . 'windows only with `start=aggregate`; POST labels and deletes',
                form: RunActions::class,
            ),
            new PageDefinition(
                $folder,
                'requests',
                RequestsPage::class,
                'index.php?view=requests',
                'triggered and slow requests, routes and jobs: `q` `last` `only` `host` `status` `start` `min` `route` '
                    . '`sort` (`route`, `count`, `failed`, `median`, `p95`, `slowest`, `sum`) `dir` `all`; `groups` (`package`, '
                    . '`plugin`, ...) `group`: whose time each route took',
            ),
            new PageDefinition(
                $folder,
                'trend',
                TrendPage::class,
                'index.php?view=trend&source=S&url=U',
                'over time: `symbol` `own=1` `metric` `n` `axis` (`time`, `run`), or `runs=A,B` instead of `url`; '
                    . '`route=R`, with `start=aggregate` its metrics `request_mean` `request_max` `request_share` `request_rate` '
                    . '`requests`',
            ),
            new PageDefinition(
                $folder,
                'heap',
                HeapPage::class,
                'index.php?view=heap&heap1=A&heap2=B',
                'what has changed from one heap snapshot to another: `by=type` `sort` `dir` `changed=0` `all` `page`; '
                    . '`class=C`: its new objects',
                with: ['heap1', 'heap2'],
            ),
            new PageDefinition(
                $folder,
                'heap',
                HeapPage::class,
                'index.php?view=heap&heap=NAME',
                'a heap snapshot: `by=bytes` or `retained` (treemap by type), `at=0xADDRESS` (where it is open); `show=classes` '
                    . '(`of` `q` `sort` `dir` `all` `page`), `largest` (`q`: a text or an address), `strings` (`node` `page`), '
                    . '`tree` (`node` `page`), `map` (`node`; JSON of the treemap), `leaks`; `class=C`, `owner=O` (`_hash` of a '
                    . 'long name) or `type=T`: `page`; `node=0xADDRESS`: `page` `rpage` `dpage`; POST makes the index of a '
                    . 'large one',
                with: ['heap'],
            ),
            new PageDefinition(
                $folder,
                'heap',
                HeapPage::class,
                'index.php?view=heap',
                'heap snapshots (`*.heap.jsonl` in the run folder): `q` `sort` `dir` `page`, `pick[]` (two: their '
                    . 'comparison); POST compares and deletes',
                form: HeapPage::class,
            ),
            new PageDefinition(
                $folder,
                'fleet',
                FleetPage::class,
                'index.php?view=fleet',
                'what many hosts have sent, with `XHPROF_FLEET`: `service` `env` `route` `release` `host` `label` `label2` '
                    . '`last` (`all`: any time) `from` `to` `clock`; `show` = `routes`, `functions` (`groups`; `symbol`, or `fn`: '
                    . 'its number in the store), `flame` (`base_release`, `base_host`... `base_to`: beside another selection, `*` '
                    . 'stands for all), `regressions` (`release` `base_release`), `hosts`, `releases`, `requests` (`kept`: one of '
                    . 'them, or `slowest`), `data` (`values`: of this label); `sort` `dir` `all`; POST saves a flame graph or a '
                    . 'request as a run',
                form: FleetForm::class,
            ),
            new PageDefinition(
                $folder,
                'import',
                ImportPage::class,
                'index.php?view=import',
                'makes runs of a file (POST)',
                form: ImportPage::class,
            ),
        ];
    }

    /** @return list<PageDefinition> */
    private static function ofRun(): array
    {
        $run = Subject::Run;

        return [
            new PageDefinition(
                $run,
                null,
                SymbolPage::class,
                'index.php?run=ID&source=S&symbol=F',
                'one function: callers, callees (`all=1`), call paths (`paths=1` of a large tree); `symbol_hash` = SHA-256 '
                    . 'of a name too long for a URL',
                with: ['symbol', 'symbol_hash'],
            ),
            new PageDefinition(
                $run,
                '',
                MeanPage::class,
                'index.php?run=A,B&source=S&wts=1,3',
                'several runs: `agg` (`mean`, `median`, `p95`, `min`, `max`, `sd`) `metric` `sort`',
                several: true,
            ),
            new PageDefinition(
                $run,
                '',
                RunPage::class,
                'index.php?run=ID&source=S',
                'functions of a run: `sort` `dir` `q` (part of a name, or `/pattern/`); old links with `all` and `page` open; '
                    . '`corrected=1` shows corrected times too, `levels=1` the levels of a recursion apart; `groups` '
                    . '(`package`, `plugin`, `folder`, `namespace`, `owner`) adds functions up, also in the '
                    . 'graphs and the call tree, `group`: the functions of one',
                tab: 'Functions',
                key: 't',
            ),
            new PageDefinition(
                $run,
                'graph',
                CallgraphPage::class,
                '…&view=graph',
                'call graph: `threshold` `nodes` `focus` `critical=0` `levels=1` `internals=0` `flow=down`; also of means '
                    . 'and comparisons (`change=percent`)',
                tab: 'Call graph',
                key: 'g',
            ),
            new PageDefinition(
                $run,
                'calltree',
                PathsPage::class,
                '…&view=calltree',
                'call tree: `tree=up` (bottom-up) `by` (`name`, `total`, `self`, `calls`, `first`; with a `-` before it the '
                    . 'other way) `root` (the selected call path) `paths`',
                tab: 'Call tree',
                key: 'p',
                needs: [Run::TREE],
            ),
            new PageDefinition(
                $run,
                'flame',
                PathsPage::class,
                '…&view=flame',
                'flame graph: `order` `flip` `root` `zoom` `colour` (`space`, `cost`, `where` the time was, `mine` with '
                    . '`categories`) `table` `paths`; `only` (a function), `hide` (functions, one a line), `fold=1` (recursion '
                    . 'merged); `lit`: the finding whose calls stand out',
                tab: 'Flame graph',
                key: 'f',
                needs: [Run::TREE],
            ),
            new PageDefinition(
                $run,
                'sandwich',
                PathsPage::class,
                '…&view=sandwich',
                'all paths to and from the function `sel`',
                tab: 'Sandwich',
                key: 's',
                needs: [Run::TREE],
            ),
            new PageDefinition(
                $run,
                'timeline',
                TimelinePage::class,
                '…&view=timeline',
                'calls, or samples, over time: `x0` `x1` (µs): a range of the time, which every view of the run keeps and '
                    . 'shows alone; memory, operations and exports are of the whole run and say so; `lit` as in the flame graph',
                tab: 'Timeline',
                key: 'l',
                needs: [Run::TIMELINE, Run::SAMPLES],
            ),
            new PageDefinition(
                $run,
                'operations',
                OperationsPage::class,
                '…&view=operations',
                'what a run waited for: SQL, HTTP ...: `kind` `sort` (`total`, `ct`, `max`, `duplicates`, `text`) `page`',
                tab: 'Operations',
                key: 'w',
                needs: [Run::OPERATIONS],
                ownOrder: true,
            ),
            new PageDefinition(
                $run,
                'memory',
                MemoryPage::class,
                '…&view=memory',
                'who holds the memory of a run recorded with `XHPROF_FLAGS_ALLOC`: `by` (`path`, `function`, `type`) `sort` '
                    . '(`live`, `incl`, `blocks`, `allocated`, `freed`) `dir` `all` `page`; `when=peak` is what was live when '
                    . 'PHP\'s heap was largest, `after=A&before=B` is what was allocated between two marks and is still live',
                tab: 'Memory',
                key: 'm',
                needs: [Run::MEMORY],
                ownOrder: true,
            ),
            new PageDefinition(
                $run,
                'whatif',
                WhatIfPage::class,
                '…&view=whatif&without=F',
                'totals, and of windows percentiles, as they would be if this took no time: `without` (functions, '
                    . 'with `groups` groups, or `operation:` and an id, one a line)',
            ),
            new PageDefinition(
                $run,
                'export',
                ExportPage::class,
                '…&view=export',
                'files for other tools',
                tab: 'Export',
                key: 'e',
            ),
            new PageDefinition(
                $run,
                'label',
                LabelPage::class,
                '…&view=label',
                'tags, note, pin',
            ),
            new PageDefinition(
                $run,
                'symbol',
                SymbolPage::class,
                '…&view=symbol',
                'says that a function is to be named',
            ),
        ];
    }

    /** @return list<PageDefinition> */
    private static function ofComparison(): array
    {
        $both = Subject::Comparison;

        return [
            new PageDefinition(
                $both,
                null,
                DiffPage::class,
                'index.php?run1=A&run2=B&source=S&symbol=F',
                'one function in both: its callers and callees',
                with: ['symbol', 'symbol_hash'],
            ),
            new PageDefinition(
                $both,
                '',
                DiffPage::class,
                'index.php?run1=A[,B]&run2=C[,D]&source=S',
                'comparison, also with `source1` `source2`: `metric` `sort` `groups`; '
                    . '`names=exact` matches no functions whose names '
                    . 'differ; `dir` `changed=1` `noise=mixed` are the scripts\'',
                tab: 'Functions',
                key: 't',
                ownOrder: true,
            ),
            new PageDefinition(
                $both,
                'graph',
                GraphPage::class,
                '…&view=graph',
                'call graph of both',
                tab: 'Call graph',
                key: 'g',
                ownOrder: true,
            ),
            new PageDefinition(
                $both,
                'calltree',
                PathsDiffPage::class,
                '…&view=calltree',
                'call tree of both: `of` (`own`: the figures of the functions themselves) `by` (`name`, `a`, `b`, `change`, '
                    . '`calls`, `first`; with a `-` before it the other way) `root` (the selected call path)',
                tab: 'Call tree',
                key: 'p',
                needs: [Run::TREE],
                ownOrder: true,
            ),
            new PageDefinition(
                $both,
                'flame',
                PathsDiffPage::class,
                '…&view=flame',
                'flame graph of both: `width` `by`',
                tab: 'Flame graph',
                key: 'f',
                needs: [Run::TREE],
                ownOrder: true,
            ),
            new PageDefinition(
                $both,
                'sandwich',
                PathsDiffPage::class,
                '…&view=sandwich',
                'all paths to and from the function `sel` in both: `by` (`incl`: callees by their change with what they call)',
                tab: 'Sandwich',
                key: 's',
                needs: [Run::TREE],
                ownOrder: true,
            ),
            new PageDefinition(
                $both,
                'operations',
                DiffTablesPage::class,
                '…&view=operations',
                'what both waited for, by text: new, gone, done more often, slower; `sort` `dir` `all` `page`',
                tab: 'Operations',
                key: 'w',
                needs: [Run::OPERATIONS],
                ownOrder: true,
            ),
            new PageDefinition(
                $both,
                'memory',
                DiffTablesPage::class,
                '…&view=memory',
                'who holds the memory at the end of both, by call path; `sort` `dir` `all` `page`',
                tab: 'Memory',
                key: 'm',
                needs: [Run::MEMORY],
                ownOrder: true,
            ),
        ];
    }

    /** @return list<PageDefinition> pages that a file of their own answers */
    private static function files(): array
    {
        $file = Subject::File;

        return [
            new PageDefinition(
                $file,
                'callgraph.php',
                CallgraphPage::class,
                'callgraph.php?run=ID&source=S',
                'the call graph by its classic name: `threshold` `critical` `func` (`func_hash`); `type=svg`, `png`, `jpg`, '
                    . '`gif` is Graphviz\'s picture alone, `dot` its text',
            ),
            new PageDefinition(
                $file,
                'typeahead.php',
                Typeahead::class,
                'typeahead.php?q=TEXT&run=ID&source=S',
                'names of functions, one per line, plain text',
            ),
            new PageDefinition(
                $file,
                'api.php',
                Api::class,
                'api.php?get=…',
                'the figures as JSON, known by ETag: `functions` `edges` `tree` `samples` `timeline` `operations` `kinds` `symbol` '
                    . '`graph` `diff` `names` `mean` (`aggregate` in old addresses) `runs` `findings`; `export&format=F` is a '
                    . 'file; what is drawn is a run file: `columns` of the `documents` `tree` `timeline` `operations` `stacks` '
                    . '`corrected`, and `fleet-tree`, the tree of a flame graph of the fleet. A tree has `root` `version` '
                    . '`timeline=1`, and `corrected=1` as JSON',
            ),
        ];
    }
}

<?php

/*
 * The cases of GoldenTest, name => arguments of xhprof or address of a page, over the runs of GoldenRuns. "commands" run once more
 * with --json. Arguments with a space stand in double quotes as a whole; a terminal is 60 columns wide for names that end with
 * -narrow. A form is POST, its address, its fields.
 */

declare(strict_types=1);

$id = static fn (string $kind, int $number = 1): string => sprintf('%s%030x', $kind, $number);
$texts = $pages = $commands = [];
[$before, $after] = [$id('51'), $id('51', 2)];
[$slow, $slower] = [$id('52'), $id('52', 2)];

$help = ['run', 'report', 'diff', 'check', 'mean', 'operations', 'requests', 'memory', 'leaks', 'list', 'prune', 'export', 'import',
    'ship', 'status', 'serve', 'mcp', 'guide', 'completion', 'help'];
foreach ($help as $command) {
    $texts["help-$command"] = "$command --help";
}
foreach (['summary', 'top', 'paths', 'retained', 'diff', 'leaks', 'strings', 'export'] as $question) {
    $texts["help-heap-$question"] = "heap $question --help";
}
$fleet = ['services', 'routes', 'trend', 'functions', 'function', 'hosts', 'releases', 'labels', 'regressions', 'verdicts', 'diff',
    'leaks', 'exemplars', 'flame', 'status', 'init', 'upgrade'];
foreach ($fleet as $question) {
    $texts["help-fleet-$question"] = "fleet $question --help";
}
$texts += [
    'overview' => '--help',
    'guide' => 'guide',
    'version' => '--version',
    'heap' => 'heap',
    'fleet' => 'fleet',
    'unknown-command' => 'reprot',
    'unknown-option' => 'report --sorted',
    'unknown-run' => 'report 9999',
    'ambiguous-run' => 'report 5',
    'unknown-source' => 'report --source=none',
    'damaged-run' => 'report 58',
    'report-markdown' => 'report 54 --markdown --limit=5',
    'report-markdown-mean' => "report $before,$after --markdown --limit=3",
    'report-markdown-json' => 'report 54 --markdown --json',
    'diff-markdown' => "diff $before $after --markdown",
    'diff-markdown-symbol' => "diff $before $after --markdown --symbol=b",
    'mean-markdown' => "mean $before $after --markdown --limit=3",
    'operations-markdown' => 'operations 54 --markdown --callers --limit=3',
    'report-narrow' => "report $slow --limit=5",
    'prune-dry' => 'prune --max-runs=80 --dry-run -v',
    'prune-nothing' => 'prune',
    'list-no-folder' => 'list --output-dir=none',
    'list-empty' => 'list --output-dir=empty',
    'list-narrow' => 'list --limit=5',
    'diff-narrow' => "diff $before $after",
    'report-files-narrow' => 'report 54 --files',
    'memory-narrow' => 'memory 55',
    'requests-narrow' => 'requests',
    'requests-per-alone' => 'requests --per=site',
    'leaks-windows-narrow' => 'leaks --from=2025-11-20 --output-dir=workers',
    'leaks-one-window' => 'leaks --output-dir=workers',
    'leaks-windows-marks' => 'leaks --from=2025-11-20 --after=2 --output-dir=workers',
    'heap-top-narrow' => 'heap top runs/worker-after.heap.jsonl --by=object --limit=5',
    'fleet-routes-narrow' => 'fleet routes --service=shop',
    'import-folded' => 'import {root}/tests/lib/imports/austin.folded --output-dir=imported',
    'import-none' => 'import runs/newer-format.heap.jsonl --output-dir=imported',
    'ship' => 'ship --to=prometheus-text:{folder}/cache/shop.prom --once --state=cache/ship --host=web-1 --service=shop',
    'export-to-nowhere' => 'export 54 --to=nowhere',
    'completion-unknown' => 'completion csh',
    'diff-tree-none' => "diff $before 54 --tree",
    'diff-tree-sort' => 'diff 54 54 --tree --sort=none',
    'diff-tree-markdown' => 'diff 53 54 --tree --markdown --limit=6',
    'diff-operations-none' => "diff $before 54 --operations",
    'diff-operations-sort' => 'diff 54 54 --operations --sort=ct',
    'diff-operations-markdown' => 'diff 54 54 --operations --markdown',
    'diff-fail-over' => "diff $before $after --fail-over=0.5%",
    'report-by-unknown' => 'report 54 --by=plugins',
    'report-by-no-owners' => 'report 54 --by=owner',
    'report-by-no-group' => 'report 54 --by=namespace --group=Ap',
    'report-group-alone' => 'report 54 --group=App',
    'report-fail-on-findings' => 'report 54 --fail-on-findings',
    'export-folded' => 'export 54 -f folded -o -',
    'export-folded-memory' => 'export 54 --memory -f folded -o -',
    'export-csv' => 'export 54 -f csv -o -',
    'export-json' => 'export 54 -f json -o -',
    'export-speedscope' => 'export 54 -f speedscope -o -',
    'export-chrome' => 'export 54 -f chrome -o -',
    'export-callgrind' => 'export 54 -f callgrind -o -',
    'export-dot' => "export $before -f dot -o -",
    'export-no-paths' => "export $before -f folded -o -",
    'export-unknown' => 'export 54 -f pdf',
];

$commands += [
    'status' => 'status --php-option=-n --output-dir=none',
    'list-tag' => 'list "--tag=slow one"',
    'list-pinned' => 'list --pinned',
    'heap-strings-copies' => 'heap strings runs/copies.heap.jsonl',
    'report-latest' => 'report',
    'report-small' => "report $before",
    'report-levels' => "report $before --levels",
    'report-q' => "report $slow --q=JSON --limit=1",
    'report-q-pattern' => "report $slow --q=/^APP.*r::/i --limit=4",
    'report-q-no-pattern' => "report $slow --q=/(/",
    'report-dir' => "report $before --sort=wt --dir=asc --limit=3",
    'report-dir-fn' => "report $before --sort=fn --dir=desc",
    'report-dir-symbol' => "report $before --symbol=b --dir=asc",
    'report-dir-tree' => 'report 53 --tree --dir=asc',
    'report-sort-fn' => "report $before --sort=fn",
    'report-shop' => "report $slow --sort=wt --limit=12",
    'report-shop-mu' => "report $slow --sort=excl_mu --limit=12",
    'report-symbol' => "report $before --symbol=b",
    'report-symbol-unknown' => "report $before --symbol=nothing",
    'report-symbol-shop' => "report $slow --symbol=strlen --limit=5",
    'report-tree' => 'report 53 --tree --limit=25',
    'report-tree-timed' => 'report 54 --tree',
    'report-tree-edges' => "report $before --tree",
    'report-corrected' => 'report 53 --corrected --limit=10',
    'report-files' => 'report 54 --files',
    'report-symbol-files' => 'report 54 --symbol=App\Shop::order --files',
    'report-by-folder' => 'report 54 --by=folder',
    'report-by-group' => 'report 54 --by=namespace --group=App',
    'report-by-symbol' => 'report 54 --by=namespace --symbol=App',
    'report-by-tree' => 'report 54 --by=namespace --tree',
    'report-by-edges' => "report $slow --by=namespace --limit=5",
    'report-stable' => 'report 54 --stable-names',
    'report-findings' => 'report 54 --findings',
    'report-findings-memory' => 'report 55 --findings',
    'report-mean' => "report $before,$after",
    'report-classic' => 'report 56 --limit=8',
    'report-file' => "report runs/$before.unit.run --limit=3",
    'report-hostile' => 'report 57',
    'report-hostile-wide' => 'report 57 --wide --symbol=strlen',
    'report-sampled' => 'report a1000000000000000000000000000005',
    'report-sampled-tree' => 'report a1000000000000000000000000000005 --tree',
    'report-sampled-cpu' => 'report a1000000000000000000000000000006',
    'report-window' => 'report a200000000000000000000000000000b',
    'report-part' => 'report a1000000000000000000000000000002',
    'report-hostile-meta' => 'report a1000000000000000000000000000007',
    'diff' => "diff $before $after",
    'diff-tree' => 'diff 53 54 --tree --limit=12',
    'diff-tree-own' => 'diff 53 54 --tree --sort=excl_wt --limit=5',
    'diff-operations' => 'diff 54 54 --operations',
    'diff-memory' => 'diff 55 55 --memory --limit=3',
    'diff-mu' => "diff $before $after --sort=mu --levels",
    'diff-symbol' => "diff $before $after --symbol=a",
    'diff-shop' => "diff $slow $slower --limit=12",
    'diff-exact' => "diff $slow $slower --exact-names --sort=ct --limit=5",
    'requests-by' => 'requests --by=namespace',
    'requests-by-site' => 'requests --by=namespace --per=site --sort=share --limit=3',
    'mean-by' => "mean {$id('ab')} {$id('ab', 2)} {$id('ab', 3)} --by=namespace --limit=3",
    'diff-by' => "diff $slow $slower --by=namespace --limit=5",
    'diff-other' => "diff $before 54",
    'diff-sets' => "diff {$id('ab', 1)},{$id('ab', 2)},{$id('ab', 3)} {$id('ab', 8)},{$id('ab', 9)},{$id('ab', 10)} --limit=8",
    'mean' => "mean {$id('ab', 1)} {$id('ab', 2)} {$id('ab', 8)} --limit=5",
    'mean-p95' => "mean {$id('ab', 1)},{$id('ab', 2)},{$id('ab', 7)} --sort=wt --agg=p95 --limit=5",
    'operations' => 'operations 54',
    'operations-callers' => 'operations 54 --callers --kind=sql',
    'operations-ct' => 'operations 55 --sort=ct --limit=2',
    'operations-dir' => 'operations 54 --dir=asc --limit=2',
    'operations-none' => "operations $before",
    'operations-sampled' => 'operations a1000000000000000000000000000005',
    'requests' => 'requests',
    'requests-route' => 'requests "--route=GET /search"',
    'requests-sort' => 'requests --sort=p99 --limit=2',
    'requests-stays' => 'requests --output-dir=workers --sort=stays',
    'leaks-windows' => 'leaks --from=2025-11-20 --output-dir=workers',
    'leaks-windows-route' => 'leaks "--route=App\Job\Resize" --output-dir=workers --sort=per-request',
    'leaks-windows-few' => 'leaks "--from=2025-11-20 23:14" --output-dir=workers --limit=2',
    'leaks-windows-none' => 'leaks --from=2030-01-01 --output-dir=workers',
    'requests-dir' => 'requests --sort=p99 --dir=asc --limit=2',
    'requests-none' => 'requests --from=2025-11-22 --to=2025-11-23',
    'requests-release' => 'requests --last=release',
    'requests-without' => 'requests --without=PDOStatement::execute --limit=3',
    'requests-without-unknown' => 'requests --without=PDOStatement::excute',
    'report-without' => "report $slow --without=strlen",
    'report-without-two' => 'report 54 --without=App\Shop::order --without=PDO::query',
    'report-without-group' => 'report 54 --by=namespace --without=App',
    'report-windows' => 'report windows-1763679600-1763680000.traffic --limit=3',
    'requests-range' => 'requests "--from=2025-11-20 23:00" "--to=2025-11-20 23:03"',
    'memory' => 'memory 55',
    'memory-type' => 'memory 55 --by=type',
    'memory-function' => 'memory 55 --by=function --sort=incl',
    'memory-dir' => 'memory 55 --dir=asc --limit=2',
    'memory-full' => 'memory 55 --full --limit=2 --sort=allocated',
    'memory-none' => "memory $before",
    'leaks' => 'leaks 55',
    'leaks-type' => 'leaks 55 --by=type --after=0 --before=3',
    'list' => 'list',
    'list-dir' => 'list --dir=asc --limit=3',
    'list-all' => 'list --limit=0 --sort=wt',
    'list-source' => 'list --source=unit',
    'list-search' => 'list --search=small --reverse',
    'list-start' => 'list --start=trigger',
    'list-windows' => 'list --start=aggregate --limit=3',
    'list-status' => 'list --status=5xx',
    'list-route' => 'list "--route=GET /search" --slowest --limit=4',
    'list-host' => 'list --host=web-2.shop.example --min-wall=200ms',
    'list-range' => 'list "--from=2025-11-20 23:00" "--to=2025-11-20 23:02"',
    'list-none' => 'list --source=none',
];
$heap = 'runs/worker-after.heap.jsonl';
$commands += [
    'heap-summary' => "heap summary $heap",
    'heap-summary-hostile' => 'heap summary runs/hostile.heap.jsonl --limit=4',
    'heap-top' => "heap top $heap",
    'heap-top-type' => "heap top $heap --by=type --sort=retained",
    'heap-top-owner' => "heap top $heap --by=owner --sort=count",
    'heap-top-object' => "heap top $heap --by=object --limit=5",
    'heap-top-array' => "heap top $heap --by=array --limit=5",
    'heap-top-string' => "heap top $heap --by=string --limit=5",
    'heap-top-path' => "heap top $heap --by=path --class=App\\Entity\\Order --full",
    'heap-paths' => "heap paths $heap --class=App\\Cache\\MemoryCache",
    'heap-paths-type' => "heap paths $heap --type=string --limit=3",
    'heap-paths-unknown' => "heap paths $heap 0x1",
    'heap-retained' => "heap retained $heap --depth=4 --limit=3",
    'heap-leaks' => "heap leaks $heap",
    'heap-strings' => "heap strings $heap --limit=3",
    'heap-diff' => "heap diff runs/worker-before.heap.jsonl $heap --limit=5",
    'heap-damaged' => 'heap summary runs/cut-off.heap.jsonl',
    'heap-newer' => 'heap summary runs/newer-format.heap.jsonl',
];

$small = "run=$before&source=unit";
$shop = "run=$slow&source=shop";
$tree = "run={$id('53')}&source=api";
$timed = "run={$id('54')}&source=timed";
$worker = "run={$id('55')}&source=worker";
$sampled = "run={$id('a1', 5)}&source=live";
$window = "run={$id('a2', 11)}&source=traffic";
$both = "run1=$before&run2=$after&source=unit";
$sets = implode(',', array_map(static fn (int $n): string => $id('ab', $n), [1, 2, 3]));
$others = implode(',', array_map(static fn (int $n): string => $id('ab', $n), [7, 8, 9]));
$pages += [
    'runs' => '',
    'runs-page-2' => 'index.php?page=2',
    'runs-sort' => 'index.php?sort=wt&dir=asc&only=live&page=2',
    'runs-search' => 'index.php?q=small&sort=ct',
    'runs-filter' => 'index.php?only=live&url=orders&min=20ms&from=2025-11-20&host=web-1.shop.example',
    'runs-wrong-filter' => 'index.php?from=yesterday&min=much&only=unit',
    'runs-start' => 'index.php?start=sampled&status=5xx&slowest=1',
    'runs-windows' => 'index.php?start=aggregate',
    'runs-route' => 'index.php?route=GET+/search&sort=wt',
    'runs-picked' => "index.php?only=unit&a=$before.unit&b=$after.unit",
    'runs-tag' => 'index.php?tag=slow+one&pinned=1',
    'label-pinned' => "index.php?run=$after&source=unit&view=label",
    'delete' => "POST index.php do=delete&pick[]=$before.unit&pick[]=$after.unit",
    'delete-none' => 'POST index.php do=delete',
    'form-unknown' => "POST index.php do=nothing&pick[]=$before.unit",
    'form-mean' => "POST index.php do=mean&pick[]=$before.unit&pick[]=$after.unit",
    'heap-delete' => 'POST index.php?view=heap do=delete&pick[]=hostile&pick[]=cut-off',
    'runs-none' => 'index.php?q=no-such-run',
    'pick-compare' => "index.php?pick[]=$before.unit&pick[]=$after.unit&do=compare",
    'pick-mean' => "index.php?pick[]=$before.unit&pick[]=$after.unit&do=mean",
    'pick-one' => "index.php?pick[]=$before.unit&do=compare",
    'run' => "index.php?$small",
    'run-pinned' => "index.php?run=$after&source=unit",
    'run-levels' => "index.php?$small&levels=1",
    'run-sort' => "index.php?$shop&sort=excl_mu&dir=asc",
    'run-pattern' => "index.php?$shop&q=/^App/&dir=asc",
    'run-no-pattern' => "index.php?$shop&q=/(/&sort=fn&dir=desc",
    'run-all' => "index.php?$shop&all=1&sort=fn",
    'run-search' => "index.php?$shop&q=service",
    'run-tree' => "index.php?$tree",
    'run-corrected' => "index.php?$tree&corrected=1&sort=excl_corrected_wt",
    'run-timed' => "index.php?$timed",
    'run-range' => "index.php?$timed&x0=1501&x1=6500",
    'run-worker' => "index.php?$worker",
    'run-classic' => "index.php?run={$id('56')}&source=pecl",
    'run-hostile' => "index.php?run={$id('57')}&source=hostile&sort=fn",
    'run-damaged' => "index.php?run={$id('58')}&source=shop",
    'run-unknown' => 'index.php?run=9999&source=shop',
    'run-sampled' => "index.php?$sampled",
    'run-cpu' => "index.php?run={$id('a1', 6)}&source=live",
    'run-window' => "index.php?$window",
    'run-window-route' => "index.php?$window&route=GET+/search",
    'run-part' => "index.php?run={$id('a1', 2)}&source=live",
    'run-span' => "index.php?run={$id('a1', 4)}&source=live",
    'run-hostile-meta' => "index.php?run={$id('a1', 7)}&source=live",
    'symbol' => "index.php?$small&symbol=b",
    'symbol-levels' => "index.php?$small&symbol=b@1&levels=1",
    'symbol-shop' => "index.php?$shop&symbol=strlen&sort=ct",
    'symbol-paths' => "index.php?$tree&symbol=strlen&paths=1",
    'symbol-places' => "index.php?$timed&symbol=App\\Shop::order",
    'symbol-range' => "index.php?$timed&symbol=App\\Shop::order&x0=1501&x1=6500",
    'symbol-unknown' => "index.php?$small&symbol=nothing",
    'symbol-sampled' => "index.php?$sampled&symbol=App\\Db::query",
    'graph' => "index.php?$small&view=graph&threshold=0",
    'graph-function' => "index.php?$shop&view=graph&func=strlen",
    'graph-diff' => "index.php?$both&view=graph&threshold=0",
    'callgraph' => "callgraph.php?$small&threshold=0",
    'callgraph-dot' => "callgraph.php?$small&threshold=0&type=dot",
    'callgraph-dot-diff' => "callgraph.php?$both&threshold=0&type=dot",
    'calltree' => "index.php?$tree&view=calltree",
    'calltree-none' => "index.php?$small&view=calltree",
    'flame' => "index.php?$tree&view=flame&metric=cpu",
    'flame-range' => "index.php?$timed&view=flame&x0=1501&x1=6500",
    'flame-diff' => "index.php?run1={$id('53')}&source1=api&run2={$id('54')}&source2=timed&view=flame",
    'groups' => "index.php?$timed&groups=namespace",
    'groups-one' => "index.php?$timed&groups=namespace&group=App",
    'groups-symbol' => "index.php?$timed&groups=namespace&symbol=App",
    'groups-edges' => "index.php?$shop&groups=namespace",
    'groups-window' => "index.php?$window&groups=folder",
    'groups-mean' => "index.php?run=$sets&source=nightly&groups=namespace",
    'groups-unknown' => "index.php?$timed&groups=plugins",
    'groups-no-owners' => "index.php?$timed&groups=owner",
    'groups-diff' => "index.php?run1=$slow&run2=$slower&source=shop&groups=namespace",
    'sandwich' => "index.php?$timed&view=sandwich&sel=PDO::query",
    'timeline' => "index.php?$timed&view=timeline",
    'timeline-sampled' => "index.php?$sampled&view=timeline",
    'timeline-none' => "index.php?$small&view=timeline",
    'operations' => "index.php?$timed&view=operations",
    'operations-kind' => "index.php?$worker&view=operations&kind=sql&sort=ct&dir=asc",
    'operations-one' => "index.php?$worker&view=operations&operation=0",
    'memory' => "index.php?$worker&view=memory",
    'memory-type' => "index.php?$worker&view=memory&by=type&after=1&before=4",
    'memory-function' => "index.php?$worker&view=memory&by=function&sort=incl",
    'memory-least-first' => "index.php?$worker&view=memory&dir=asc",
    'memory-none' => "index.php?$small&view=memory",
    'export' => "index.php?$timed&view=export",
    'export-mean' => "index.php?run=$sets&source=nightly&view=export",
    'label' => "index.php?$small&view=label",
    'diff' => "index.php?$both",
    'diff-sort' => "index.php?$both&sort=d_ct&dir=asc&levels=1",
    'diff-symbol' => "index.php?$both&symbol=a",
    'diff-shop' => "index.php?run1=$slow&run2=$slower&source=shop&q=service&changed=1",
    'diff-sets' => "index.php?run1=$sets&run2=$others&source=nightly&noise=hide",
    'diff-operations' => "index.php?run1={$id('54')}&run2={$id('54')}&source=timed&view=operations",
    'diff-memory' => "index.php?run1={$id('55')}&run2={$id('55')}&source=worker&view=memory",
    'diff-operations-none' => "index.php?run1=$before&run2={$id('54')}&source1=unit&source2=timed&view=operations",
    'diff-half' => "index.php?run1=$before&source=unit",
    'mean' => "index.php?run=$sets,$others&source=nightly&agg=p95&sort=wt",
    'mean-weighted' => "index.php?run=$before,$after&source=unit&wts=1,3",
    'trend' => "index.php?view=trend&source=nightly&url=/orders?page=2",
    'trend-symbol' => 'index.php?view=trend&source=nightly&symbol=json_decode&metric=excl_wt',
    'trend-route' => 'index.php?view=trend&source=traffic&start=aggregate&route=GET+/search&metric=p99',
    'import' => 'index.php?view=import',
    'requests' => 'index.php?view=requests',
    'requests-route' => 'index.php?view=requests&route=GET+/search',
    'requests-groups' => 'index.php?view=requests&groups=namespace&sort=share',
    'requests-groups-unknown' => 'index.php?view=requests&groups=team',
    'requests-range' => 'index.php?view=requests&from=2025-11-20&to=2025-11-20+23:03&sort=p99&dir=asc',
    'twice' => "index.php?run[]=$before",
    'typeahead' => "typeahead.php?q=app&$shop",
    'api-unknown' => 'api.php?get=nope',
    'api-runs' => 'api.php?get=runs&source=unit',
    'api-groups' => "api.php?get=functions&groups=namespace&$timed",
    'api-columns' => "api.php?get=columns&documents=tree,timeline&$timed",
    'api-names' => "api.php?get=names&$both",
    'api-diff' => "api.php?get=diff&$both",
    'api-mean' => "api.php?get=mean&run=$before,$after&source=unit",
    'api-export-csv' => "api.php?get=export&format=csv&$timed",
    'api-export-folded' => "api.php?get=export&format=folded&metric=wt&$timed",
    'api-export-json' => "api.php?get=export&format=json&$small",
];
foreach (['functions', 'edges', 'graph', 'tree', 'timeline', 'operations', 'symbol&symbol=App\Shop::order'] as $get) {
    $pages['api-' . strtok($get, '&')] = "api.php?get=$get&$timed";
}
$pages['api-tree-range'] = "api.php?get=tree&$timed&x0=1501&x1=6500";
$pages['api-samples'] = "api.php?get=samples&$sampled";
$pages['api-functions-small'] = "api.php?get=functions&$small&levels=1";
$snapshot = 'index.php?view=heap&heap=worker-after';
$pages += [
    'heap' => 'index.php?view=heap',
    'heap-sort' => 'index.php?view=heap&sort=size&dir=asc',
    'heap-summary' => $snapshot,
    'heap-hostile' => 'index.php?view=heap&heap=hostile',
    'heap-hostile-classes' => 'index.php?view=heap&heap=hostile&show=classes',
    'heap-damaged' => 'index.php?view=heap&heap=cut-off',
    'heap-newer' => 'index.php?view=heap&heap=newer-format',
    'heap-node' => "$snapshot&node=0x7f3a80000000",
    'heap-node-unknown' => "$snapshot&node=0x1",
    'heap-tree' => "$snapshot&show=tree",
    'heap-group' => "$snapshot&class=App\\Entity\\Order",
    'heap-classes-sort' => "$snapshot&show=classes&by=type&sort=retained",
    'heap-diff' => 'index.php?view=heap&heap1=worker-before&heap2=worker-after',
    'heap-diff-class' => 'index.php?view=heap&heap1=worker-before&heap2=worker-after&class=App\Event\PageCached',
    'heap-copies' => 'index.php?view=heap&heap=copies&show=strings',
    'heap-type' => "$snapshot&type=string",
    'heap-owner' => "$snapshot&show=classes&by=owner",
    'heap-empty' => 'index.php?view=heap&heap=empty',
    'heap-unknown' => 'index.php?view=heap&heap=nothing',
];
foreach (['classes', 'largest', 'leaks', 'strings'] as $show) {
    $pages["heap-$show"] = "$snapshot&show=$show";
}

// Of FiberRuns, in a folder of their own.
$fibers = static fn (int $number): string => sprintf('fb%030x', $number);
$texts['fibers-requests-narrow'] = 'requests --output-dir=fibers';
$texts['fibers-requests-sort-narrow'] = 'requests --sort=suspended --output-dir=fibers';
$texts['fibers-requests-peak-narrow'] = 'requests --sort=peak --output-dir=fibers';
foreach (['callgrind', 'speedscope', 'chrome'] as $format) {
    $texts["fibers-export-$format"] = "export {$fibers(1)} --output-dir=fibers -f $format -o -";
}
foreach (['exact' => 1, 'long' => 2, 'sampled' => 3, 'cut' => 4, 'window' => 5, 'older' => 6] as $name => $number) {
    $commands["fibers-report-$name"] = "report {$fibers($number)} --output-dir=fibers";
    $commands["fibers-findings-$name"] = "report {$fibers($number)} --findings --output-dir=fibers";
    $pages["fibers-run-$name"] = "index.php?run={$fibers($number)}&source=async";
}
$commands += [
    'fibers-list' => 'list --output-dir=fibers',
    'fibers-mean' => "mean {$fibers(1)} {$fibers(2)} --output-dir=fibers",
    'fibers-requests' => 'requests --output-dir=fibers',
    'fibers-requests-sort' => 'requests --sort=suspended --output-dir=fibers',
];
$pages += [
    'fibers-runs' => 'index.php',
    'fibers-requests' => 'index.php?view=requests',
    'fibers-trend-between' => 'index.php?view=trend&source=async&start=aggregate&route=(between+requests)',
    'fibers-flame' => "index.php?view=flame&run={$fibers(5)}&source=async",
];

$range = '"--from=2025-11-20 22:00" "--until=2025-11-21 01:00"';
$commands += [
    'fleet-services' => "fleet services $range",
    'fleet-routes' => "fleet routes --service=shop $range",
    'fleet-trend' => "fleet trend --service=shop $range",
    'fleet-functions' => "fleet functions --service=shop $range",
    'fleet-functions-by' => "fleet functions --service=shop --by=namespace $range",
    'fleet-functions-per-route' => "fleet functions --service=shop --by=namespace --per=route $range",
    'fleet-functions-by-release' => "fleet functions --service=shop --by-release --clock=cpu $range",
    'fleet-function' => "fleet function PDOStatement::execute --service=shop $range",
    'fleet-function-unknown' => 'fleet function nothing --service=shop',
    'fleet-hosts' => "fleet hosts --service=shop $range",
    'fleet-hosts-sorted' => "fleet hosts --service=shop --sort=requests --limit=1 $range",
    'fleet-hosts-wrong-sort' => "fleet hosts --service=shop --sort=nothing $range",
    'fleet-leaks' => "fleet leaks --service=shop $range",
    'fleet-releases' => "fleet releases --service=shop $range",
    'fleet-labels' => "fleet labels --service=shop $range",
    'fleet-labels-values' => "fleet labels team --service=shop $range",
    'fleet-regressions' => "fleet regressions --service=shop $range",
    'fleet-verdicts' => 'fleet verdicts --service=shop',
    'fleet-diff' => "fleet diff --service=shop --base=1.0 --release=1.1 $range",
    'fleet-exemplars' => "fleet exemplars --service=shop $range",
    'fleet-status' => 'fleet status',
    'fleet-no-service' => 'fleet routes',
];
$texts['fleet-flame'] = "fleet flame --service=shop $range --output-dir=cache";
$texts['fleet-wrong-address'] = 'fleet services --to=http://nowhere';
$shop = 'service=shop&from=2025-11-20+22:00&to=2025-11-21+01:00';
$pages['fleet'] = "index.php?view=fleet&from=2025-11-20+22:00&to=2025-11-21+01:00";
$pages['fleet-wrong'] = 'index.php?view=fleet&show=routes&service=shop&from=yesterday&to=2025-11-20&clock=x&label=y';
$pages['fleet-no-service'] = 'index.php?view=fleet&show=routes&from=2025-11-20';
foreach (['routes', 'functions', 'flame', 'regressions', 'hosts', 'releases', 'requests', 'data', 'nothing'] as $show) {
    $pages["fleet-$show"] = "index.php?view=fleet&show=$show&$shop";
}
$pages += [
    'fleet-route' => "index.php?view=fleet&show=routes&route=GET+/orders/{id}&$shop&sort=p99",
    'fleet-function' => "index.php?view=fleet&show=functions&symbol=PDOStatement::execute&$shop",
    'fleet-groups' => "index.php?view=fleet&show=functions&groups=namespace&$shop",
    'fleet-flame-diff' => "index.php?view=fleet&show=flame&base_release=1.0&release=1.1&$shop",
    'fleet-kept' => "index.php?view=fleet&show=requests&kept=a2-1&$shop",
    'api-fleet-tree' => "api.php?get=fleet-tree&$shop",
    'api-fleet-tree-base' => "api.php?get=fleet-tree&base_release=1.0&side=base&$shop",
];

return ['texts' => $texts, 'commands' => $commands, 'pages' => $pages];

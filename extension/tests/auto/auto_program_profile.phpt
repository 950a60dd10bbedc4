--TEST--
A program's own profile takes the place of the one that settings started, which is saved as far as it came
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$head = '<?php function before() { return strlen("b"); } function within() { return strlen("w"); } function after() { return strlen("a"); }
    function seen(?array $edges) { echo json_encode($edges === null ? null : array_values(preg_grep("/before|within|after/", preg_grep("/strlen/", array_keys($edges), PREG_GREP_INVERT)))), "\n"; }
    before(); ';
$programs = [
    'nothing to disable' => 'seen(xhprof_disable()); seen(xhprof_sample_disable()); var_dump(xhprof_call_tree()); after();',
    'nothing to save' => 'try { xhprof_save(); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; } after();',
    'xhprof_enable()' => 'xhprof_enable(); within(); seen(xhprof_disable()); after();',
    'twice' => 'xhprof_enable(); within(); seen(xhprof_disable()); xhprof_enable(); after(); seen(xhprof_disable());',
    'never disabled' => 'xhprof_enable(); within();',
    'saved' => 'xhprof_enable(); within(); xhprof_disable(); echo strlen(xhprof_save("mine")), "\n"; after();',
    'in a function' => '(function () { within(); xhprof_enable(); after(); })(); seen(xhprof_disable());',
    'flags' => 'xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_CPU); within(); seen(xhprof_disable());',
    'wrong options' => 'try { xhprof_enable(0, ["ignored_functions" => 1]); } catch (TypeError $e) { echo "TypeError\n"; } after();',
    'options' => 'xhprof_enable(0, ["ignored_functions" => ["within"]]); within(); after(); seen(xhprof_disable());',
    'xhprof_sample_enable()' => 'xhprof_sample_enable(); within(); var_dump(is_array(xhprof_sample_disable())); after();',
    'memprof_enable()' => 'memprof_enable(); within(); var_dump(memprof_enabled()); echo count(memprof_dump_array()["called_functions"]) > 0 ? "dumped\n" : "", memprof_disable(); after();',
    'a dump' => 'var_dump(@xhprof_alloc_dump(fopen("php://memory", "w"), "json")); after();',
];
foreach ($programs as $label => $code) {
    echo "-- $label\n";
    foreach (['exact', 'sample', 'alloc'] as $mode) {
        $child = xhprof_test_auto($head . $code, ['mode' => $mode]);
        if ($mode === 'exact') {
            xhprof_test_show($child);
            foreach ($child['runs'] as $run) {
                $keys = preg_grep('/strlen/', preg_grep('/before|within|after/', array_keys($run['edges'])), PREG_GREP_INVERT);
                echo $run['source'], ' ', $run['start'] ?? '-', ' ', $run['ended_by'] ?? '-', ' ', preg_replace('/:[^}]*/', '', implode(' ', $keys)), "\n";
            }
        } elseif ($child['err'] !== '' || array_column($child['runs'], 'ended_by', 'source') !== array_column($exact['runs'], 'ended_by', 'source')) {
            echo "$mode: ", $child['out'], $child['err'], json_encode(array_column($child['runs'], 'ended_by', 'source')), "\n";
        } elseif ($child['out'] !== $exact['out'] && $label !== 'a dump') {
            echo "$mode: ", $child['out'];
        }
        $mode === 'exact' && $exact = $child;
    }
}
echo "-- memprof's own trigger\n";
$child = xhprof_test_auto($head . 'var_dump(memprof_enabled());', [], ['MEMPROF_PROFILE' => '1']);
xhprof_test_show($child);
xhprof_test_show_runs($child['runs'], 'start');
echo "-- hooks off: what cannot start takes no place\n";
$child = xhprof_test_auto($head . 'xhprof_enable(); before();', ['mode' => 'sample', 'hooks' => 'off']);
echo preg_replace('~ in /.*~', '', $child['out']);
xhprof_test_show_runs($child['runs'], 'mode', 'ended_by');
?>
--EXPECT--
-- nothing to disable
null
null
NULL
auto yes - main()==>before main()==>after
-- nothing to save
xhprof_save(): There is no stopped profile to save
auto yes - main()==>before main()==>after
-- xhprof_enable()
["main()==>within"]
auto yes xhprof_enable main()==>before
-- twice
["main()==>within"]
["main()==>after"]
auto yes xhprof_enable main()==>before
-- never disabled
auto yes xhprof_enable main()==>before
-- saved
32
auto yes xhprof_enable main()==>before
mine manual - main()==>within
-- in a function
["main()==>after"]
auto yes xhprof_enable main()==>before {closure}==>within
-- flags
["main()==>within"]
auto yes xhprof_enable main()==>before
-- wrong options
TypeError
auto yes - main()==>before main()==>after
-- options
["main()==>after"]
auto yes xhprof_enable main()==>before
-- xhprof_sample_enable()
bool(true)
auto yes xhprof_sample_enable main()==>before
-- memprof_enable()
bool(true)
dumped
1auto yes memprof_enable main()==>before
-- a dump
bool(false)
auto yes - main()==>before main()==>after
-- memprof's own trigger
bool(true)
no run
-- hooks off: what cannot start takes no place

Warning: xhprof.hooks is off: only sampling is possible
mode="sample" ended_by=null

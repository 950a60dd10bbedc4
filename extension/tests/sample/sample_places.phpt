--TEST--
Sampled functions have their file and lines too, and sampled paths the line that called them
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
function busy(): string
{
    for ($i = 0, $text = ''; $i < 20000; $i++) {
        $text = md5($text);
    }
    return $text;
}

do {
    xhprof_sample_enable(['interval' => 100]);
    busy();
    xhprof_sample_disable();
    $tree = xhprof_call_tree();
    $busy = array_search('busy', $tree['names'], true);
} while ($busy === false || array_search($busy, $tree['fn'], true) === false);
$node = array_search($busy, $tree['fn'], true);
echo 'sampled ', basename($tree['files'][$tree['file'][$busy]]), ":{$tree['line'][$busy]}-{$tree['last_line'][$busy]}";
echo " from {$tree['call_line'][$node]}, main() ", basename($tree['files'][$tree['file'][0]]), "\n";
?>
--EXPECT--
sampled sample_places.php:2-8 from 12, main() sample_places.php

--TEST--
Sampling: code with calls that need no frame (8.4) is compiled and runs meanwhile and afterwards, whatever disable_functions says
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** The time of this call is str_replace()'s. */
function code(string $name): string
{
    return "function $name(string \$text): string { return trim(substr(str_replace('ab', 'c', \$text), 0, 3)); }";
}

function shows(string $name, string $text): bool
{
    for ($try = 0; $try < 100; $try++) {
        xhprof_sample_enable(['interval' => 200]);
        $name($text);
        if (in_array("main()==>shows==>$name==>str_replace", xhprof_sample_disable(), true)) {
            return true;
        }
    }
    return false;
}

if (($argv[1] ?? '') === 'tracked') { // memprof reads the stack at some allocations
    eval(code('tracked'));
    exit(tracked('abba') . "\n");
}
if (isset($argv[1])) {
    eval(code('before'));
    xhprof_sample_enable();
    eval(code('meanwhile'));
    echo before('abba'), ' ', meanwhile('abba'), "\n";
    xhprof_sample_disable();
    eval(code('afterwards'));
    echo before('abba'), ' ', meanwhile('abba'), ' ', afterwards('abba'), "\n";
    $text = str_repeat('abababxabacab', 100_000);
    foreach (['before', 'meanwhile', 'afterwards'] as $name) {
        echo $name, ': ', shows($name, $text) ? 'shown' : 'not shown', "\n";
    }
    exit(0);
}
$beside = xhprof_test_available('opcache') || xhprof_test_available('Zend OPcache') ? [[], ['opcache']] : [[]];
foreach ($beside as $extensions) {
    foreach (['', 'strtr,dirname,max,implode'] as $disabled) {
        $ini = ['disable_functions' => $disabled, 'opcache.enable_cli' => 1];
        $children[] = xhprof_test_child(__FILE__, ['child'], $ini, $extensions);
    }
}
xhprof_test_show($children[0]);
foreach ($children as $child) {
    $child === $children[0] || xhprof_test_show($child);
}
xhprof_test_show(xhprof_test_child(__FILE__, ['tracked'], ['xhprof.alloc_sample_bytes' => 4096], [], null, [
    'MEMPROF_PROFILE' => '1',
] + getenv()));
?>
--EXPECT--
cba cba
cba cba cba
before: shown
meanwhile: shown
afterwards: shown
cba

--TEST--
memory_limit: the shutdown function still gets a whole profile
--INI--
memory_limit=16M
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function eats(): void
{
    $all = [];
    for ($i = 0; ; $i++) {
        $all[] = piece($i);
    }
}

function piece(int $i): string { return str_repeat(chr($i % 256), 65_536); }
function again(): void { static $n; $n++; }

register_shutdown_function(static function (): void {
    ini_set('memory_limit', '256M');
    $edges = xhprof_disable();
    xhprof_test_between('piece', $edges['eats==>piece']['ct'], 100, 300);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    unset($edges['eats==>piece'], $edges['piece==>chr'], $edges['piece==>str_repeat']);
    xhprof_test_edges($edges, ['==>ini_set', '==>xhprof_disable']);
    xhprof_enable();
    again();
    $edges = xhprof_disable();
    xhprof_test_edges($edges);
});
xhprof_enable();
eats();
?>
--EXPECTF--
Fatal error: Allowed memory size of 16777216 bytes exhausted %s in %s on line %d
piece: ok
invariants: ok
main(): ct=1
main()==>eats: ct=1
main()==>{closure:ends/fatal_memory_limit.php:%d}: ct=1
main(): ct=1
main()==>again: ct=1
main()==>xhprof_disable: ct=1

--TEST--
Memory of functions that allocate nothing is 0, however many new ones are met
--INI--
opcache.jit=disable
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class K
{
    public function m(): void
    {
    }

    public static function s(): void
    {
    }
}

for ($i = 0; $i < 500; $i++) {
    eval("function f$i() {}");
    $names[] = "f$i";
}
function recursive(int $n): int { return $n === 0 ? 0 : recursive($n - 1); }

$k = new K();
$closure = static function (): void {
};
xhprof_enable(XHPROF_FLAGS_MEMORY);
foreach ($names as $name) {
    $name();
}
$k->m();
K::s();
$closure();
error_get_last();
recursive(50);
$edges = xhprof_disable();
unset($edges['main()'], $edges['main()==>xhprof_disable']);
$bad = array_filter($edges, static fn (array $values): bool => $values['mu'] !== 0 || $values['pmu'] !== 0);
echo count($edges), ' edges, ', count($bad), " with memory\n";
foreach (array_slice($bad, 0, 5) as $key => $values) {
    echo "$key mu={$values['mu']} pmu={$values['pmu']}\n";
}
?>
--EXPECT--
555 edges, 0 with memory

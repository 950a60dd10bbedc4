--TEST--
The pipe operator and clone with other values (PHP 8.5) call what they name
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('PHP 8.5'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

final class Money
{
    public int $cents = 0 { set { $this->cents = doubled($value); } }
    public string $name = '';
    public function __clone(): void
    {
        doubled(1);
    }
    public static function format(int $cents): string
    {
        return number_format($cents / 100, 2);
    }
}

function doubled(int $n): int
{
    return 2 * $n;
}

function work(string $text): string
{
    $money = new Money();
    $more = clone($money, ['cents' => 150, 'name' => 'm']);
    $same = clone $more;
    return $text |> trim(...) |> doubled(...) |> (fn (int $n): int => doubled($n)) |> Money::format(...);
}

$text = (string) (int) '21';
work($text);
xhprof_enable();
echo work($text), "\n";
$edges = xhprof_disable();
xhprof_test_check_invariants($edges, xhprof_call_tree());
$plain = [];
foreach ($edges as $key => $values) {
    $plain[preg_replace('/\{closure:[^}]*\}/', '{closure}', $key)] = $values;
}
xhprof_test_edges($plain, ['xhprof_disable']);
?>
--EXPECT--
0.84
invariants: ok
Money::$cents::set==>doubled: ct=1
Money::__clone==>doubled: ct=2
Money::format==>number_format: ct=1
clone==>Money::$cents::set: ct=1
clone==>Money::__clone: ct=1
main(): ct=1
main()==>work: ct=1
work==>Money::__clone: ct=1
work==>Money::format: ct=1
work==>clone: ct=1
work==>doubled: ct=1
work==>trim: ct=1
work==>{closure}: ct=1
{closure}==>doubled: ct=1
the same every way

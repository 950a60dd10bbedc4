--TEST--
Every function has its file and lines, PHP's own ones their extension; every path the line that called it first
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class Shop
{
    public function total(array $prices): int
    {
        return array_sum(array_map(
            fn (int $price): int
                => $this->price($price),
            $prices,
        ));
    }

    private function price(int $price): int
    {
        return strlen(str_repeat('x', $price));
    }

    public static function all(): iterable
    {
        yield 1;
        helper();
    }
}

function helper(): void
{
    ignored();
}

function ignored(): void
{
    strrev('a');
}

function show(string $title, int $flags, ?array $options): void
{
    xhprof_enable($flags, $options);
    (new Shop())->total([1, 2]);
    foreach (Shop::all() as $ignored) {
    }
    if (!($flags & XHPROF_FLAGS_NO_BUILTINS)) {
        $fiber = new Fiber(static function (): void {
            helper();
        });
        $fiber->start();
    }
    xhprof_disable();
    $tree = xhprof_call_tree();
    echo "$title\n";
    foreach ($tree['fn'] as $node => $fn) {
        $file = $tree['file'][$fn] < 0 ? '?' : basename($tree['files'][$tree['file'][$fn]]);
        $lines = $tree['line'][$fn] === 0 ? '' : ":{$tree['line'][$fn]}-{$tree['last_line'][$fn]}";
        $name = preg_replace('/\{closure:.*:(\d+)\}/', '{closure:$1}', $tree['names'][$fn]);
        echo str_repeat('  ', $tree['depth'][$node]), "$name $file$lines from {$tree['call_line'][$node]}\n";
    }
    foreach (['file', 'line', 'last_line'] as $column) {
        if (count($tree[$column]) !== count($tree['names'])) {
            echo "$column: not one per name\n";
        }
    }
}

show('exact', 0, null);
show('without functions of PHP, and one ignored', XHPROF_FLAGS_NO_BUILTINS, ['ignored_functions' => ['ignored', 'helper']]);
show('one ignored', 0, ['ignored_functions' => 'ignored']);
?>
--EXPECT--
exact
main() places.php:1-69 from 0
  Shop::total places.php:6-13 from 65
    array_map ext:standard from 8
      Shop::{closure:9} places.php:9-10 from 0
        Shop::price places.php:15-18 from 10
          str_repeat ext:standard from 17
    array_sum ext:standard from 8
  Shop::all places.php:20-24 from 65
    helper places.php:27-30 from 23
      ignored places.php:32-35 from 29
        strrev ext:standard from 34
  Fiber::__construct ext:Core from 65
  Fiber::start ext:Core from 65
    {closure:44} places.php:44-46 from 0
      helper places.php:27-30 from 45
        ignored places.php:32-35 from 29
          strrev ext:standard from 34
  xhprof_disable ext:xhprof from 65
without functions of PHP, and one ignored
main() places.php:1-69 from 0
  Shop::total places.php:6-13 from 66
    Shop::{closure:9} places.php:9-10 from 8
      Shop::price places.php:15-18 from 10
  Shop::all places.php:20-24 from 66
one ignored
main() places.php:1-69 from 0
  Shop::total places.php:6-13 from 67
    array_map ext:standard from 8
      Shop::{closure:9} places.php:9-10 from 0
        Shop::price places.php:15-18 from 10
          str_repeat ext:standard from 17
    array_sum ext:standard from 8
  Shop::all places.php:20-24 from 67
    helper places.php:27-30 from 23
      strrev ext:standard from 29
  Fiber::__construct ext:Core from 67
  Fiber::start ext:Core from 67
    {closure:44} places.php:44-46 from 0
      helper places.php:27-30 from 45
        strrev ext:standard from 29
  xhprof_disable ext:xhprof from 67

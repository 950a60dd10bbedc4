--TEST--
What a block holds where it is not PHP's heap that has it (USE_ZEND_ALLOC=0)
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

if (isset($argv[1])) {
    function text(int $i): string { return str_repeat('x', 20 + $i); }

    alloc_types_print('values', static function (): array {
        $x = text(1);
        return [text(2) => [text(3)], 'reference' => &$x, 'list' => new SplFixedArray(9), 'closure' => Closure::fromCallable('text')];
    });
    alloc_types_print('waiting', static function (): array {
        $generator = (static fn (): Generator => yield [text(1)])();
        $generator->current();
        return [$generator, new DateTime()];
    }, ['array', 'string', 'object:Generator', 'object:DateTime', '(unknown)']);
    xhprof_enable(XHPROF_FLAGS_ALLOC);
    $kept = new ArrayObject([text(1)]);
    alloc_types_show('stopped', alloc_types_of('text'));
    exit;
}
$children = [];
foreach (['1', '0'] as $zend) {
    $children[] = xhprof_test_child(__FILE__, ['child'], ['opcache.enable_cli' => 0], [], null, ['USE_ZEND_ALLOC' => $zend] + getenv());
}
xhprof_test_show($children[0]);
echo $children[0] === $children[1] ? "the same\n" : json_encode($children[1]);
?>
--EXPECT--
values: 4 array, 1 object:Closure, 2 object:SplFixedArray, 1 reference, 3 string
waiting: 4 array, 3 object:DateTime, 2 object:Generator, 1 string
stopped: 1 string
the same

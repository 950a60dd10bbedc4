--TEST--
Beside an extension that keeps a word per function of PHP, the JIT finds the handlers of calls of many classes in one place
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('compiler');
if (PHP_VERSION_ID < 80500 && !xhprof_test_available('opcache')) {
    die('skip needs opcache');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
// From 8.4 on user functions and others are counted separately; it takes a word of the first only.
file_put_contents("$folder/other.c", <<<'C'
    #include "php.h"
    #include "zend_extensions.h"
    static PHP_MINIT_FUNCTION(other)
    {
        zend_get_op_array_extension_handle("other");
        return SUCCESS;
    }
    static zend_module_entry other_module_entry = {STANDARD_MODULE_HEADER, "other", NULL, PHP_MINIT(other), NULL, NULL, NULL, NULL, "1",
        STANDARD_MODULE_PROPERTIES};
    ZEND_GET_MODULE(other)
    C);
file_put_contents("$folder/program.php", <<<'PHP'
    <?php
    interface Shape { public function area(): int; }
    final class A implements Shape { public function area(): int { return 1; } }
    final class B implements Shape { public function area(): int { return 2; } }
    final class C implements Shape { public function area(): int { return 3; } }
    final class D implements Shape { public function area(): int { return 4; } }
    final class E implements Shape { public function area(): int { return 5; } }
    $shapes = [new A(), new B(), new C(), new D(), new E()];
    $argv[1] === 'profiled' && xhprof_enable();
    for ($sum = $i = 0; $i < 100_000; $i++) {
        $sum += $shapes[$i % 5]->area();
    }
    $calls = $argv[1] === 'profiled' ? array_column(xhprof_disable(), 'ct') : [];
    echo $argv[1], ': ', $sum, ', ', count(array_keys($calls, 20_000, true)), " times 20,000 calls\n";
    PHP);
passthru(xhprof_test_compiler() . ' -o ' . escapeshellarg("$folder/other.so") . ' ' . escapeshellarg("$folder/other.c"));
$ini = [
    'extension' => "$folder/other.so", 'opcache.enable_cli' => '1', 'opcache.jit' => 'tracing', 'opcache.jit_buffer_size' => '32M',
    'opcache.jit_max_polymorphic_calls' => '0',
];
foreach (['profiled', 'not profiled'] as $how) {
    xhprof_test_show(xhprof_test_child("$folder/program.php", [$how], $ini, ['opcache']));
}
?>
--EXPECT--
profiled: 300000, 5 times 20,000 calls
not profiled: 300000, 0 times 20,000 calls

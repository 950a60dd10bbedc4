--TEST--
Sampling asks opcache whether there is a JIT: where another extension has disabled it, the settings do not matter
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('compiler', 'opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
// As pcov, uopz and Xdebug do.
file_put_contents("$folder/other.c", <<<'C'
    #include "php.h"
    static int on_add(zend_execute_data *execute_data)
    {
        return ZEND_USER_OPCODE_DISPATCH;
    }
    static PHP_MINIT_FUNCTION(other)
    {
        zend_set_user_opcode_handler(ZEND_ADD, on_add);
        return SUCCESS;
    }
    static zend_module_entry other_module_entry = {STANDARD_MODULE_HEADER, "other", NULL, PHP_MINIT(other), NULL, NULL, NULL, NULL, "1",
        STANDARD_MODULE_PROPERTIES};
    ZEND_GET_MODULE(other)
    C);
file_put_contents("$folder/program.php", <<<'PHP'
    <?php
    $jit = @opcache_get_status(false)['jit']['enabled'] ?? false;
    $refused = '';
    set_error_handler(function (int $level, string $message) use (&$refused): bool {
        $refused = $message;
        return true;
    });
    xhprof_sample_enable();
    $sampled = xhprof_sample_disable() !== null;
    // What the settings alone would say of this PHP is another test's matter.
    echo $jit ? ($sampled || str_contains($refused, 'JIT') ? "as the JIT allows\n" : "$refused\n") : ($sampled ? "sampled\n" : "$refused\n");
    PHP);
passthru(xhprof_test_compiler() . ' -o ' . escapeshellarg("$folder/other.so") . ' ' . escapeshellarg("$folder/other.c"));
$ini = ['opcache.enable_cli' => 1, 'opcache.jit_buffer_size' => '16M', 'display_errors' => 0];
foreach (['function', '1205', '1235', 'tracing', 'on'] as $jit) {
    echo "$jit: ";
    xhprof_test_show(xhprof_test_child("$folder/program.php", [], ['opcache.jit' => $jit, 'extension' => "$folder/other.so"] + $ini, ['opcache']));
}
echo 'file_cache_only: ';
$more = ['opcache.jit' => 'function', 'opcache.file_cache' => $folder, 'opcache.file_cache_only' => 1];
xhprof_test_show(xhprof_test_child("$folder/program.php", [], $more + $ini, ['opcache']));
echo 'no JIT is disabled: ';
xhprof_test_show(xhprof_test_child("$folder/program.php", [], ['opcache.jit' => 'tracing'] + $ini, ['opcache']));
?>
--EXPECT--
function: sampled
1205: sampled
1235: sampled
tracing: sampled
on: sampled
file_cache_only: sampled
no JIT is disabled: as the JIT allows

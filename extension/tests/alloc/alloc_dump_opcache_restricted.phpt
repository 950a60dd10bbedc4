--TEST--
A dump asks opcache for its size: where that is restricted, the program hears nothing of it
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (!xhprof_test_available('opcache') && !xhprof_test_available('Zend OPcache')) {
    die('skip needs opcache');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    set_error_handler(static fn (int $type, string $message) => throw new ErrorException($message));
    xhprof_enable(XHPROF_FLAGS_ALLOC);
    var_dump(xhprof_alloc_dump(fopen('php://memory', 'w'), 'chrome'), error_reporting() === E_ALL);
    try {
        echo $undefined;
    } catch (ErrorException $e) {
        echo 'the handler is there: ', $e->getMessage(), "\n";
    }
    exit(0);
}
foreach (['', '/nowhere'] as $restricted) {
    $ini = ['opcache.enable_cli' => 1, 'opcache.restrict_api' => $restricted];
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], $ini, ['opcache']));
}
?>
--EXPECT--
bool(true)
bool(true)
the handler is there: Undefined variable $undefined
bool(true)
bool(true)
the handler is there: Undefined variable $undefined

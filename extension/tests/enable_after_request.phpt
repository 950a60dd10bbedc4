--TEST--
A profile begun when the request is over for the profiler, and never ended, leaves nothing behind
--SKIPIF--
<?php
if (!extension_loaded('session')) {
    die('skip ext/session is needed: it writes after other modules have ended the request');
}
?>
--FILE--
<?php
require __DIR__ . '/lib.inc';

final class Handler implements SessionHandlerInterface
{
    public function open(string $path, string $name): bool
    {
        return true;
    }

    public function close(): bool
    {
        return true;
    }

    public function read(string $id): string
    {
        return '';
    }

    public function write(string $id, string $data): bool
    {
        xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
        echo strrev('nettirw'), "\n";
        return true;
    }

    public function destroy(string $id): bool
    {
        return true;
    }

    public function gc(int $max_lifetime): int
    {
        return 0;
    }
}

if (isset($argv[1])) {
    ini_set('session.use_cookies', '0');
    session_set_save_handler(new Handler(), false);
    session_start();
    $_SESSION['key'] = 'value';
    exit(0);
}
// A crash is a matter of chance: the kernel has to switch the process out after the module is gone.
$children = [];
for ($i = 0; $i < 8; $i++) {
    $children[] = xhprof_test_child(__FILE__, ['child']);
}
foreach (array_unique($children, SORT_REGULAR) as $child) {
    xhprof_test_show($child);
}
?>
--EXPECT--
written

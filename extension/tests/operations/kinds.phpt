--TEST--
Operations: HTTP, files, sockets, processes, sleeping, locks, compiling and garbage collection
--FILE--
<?php
require __DIR__ . '/operations.inc';

$folder = xhprof_test_folder();
mkdir("$folder/cache");
file_put_contents("$folder/cache/12345.php", '<?php return 1;');

function everything(string $folder): void
{
    @file_get_contents('http://user:secret@127.0.0.1:9/users/55/orders?token=secret');
    $post = stream_context_create(['http' => ['method' => 'POST', 'content' => 'secret']]);
    @file_get_contents('http://127.0.0.1:9/users/55', false, $post);
    @fopen('http://127.0.0.1:9/', 'r');
    $file = fopen("$folder/cache/67890.txt", 'w+');
    for ($i = 0; $i < 3; $i++) {
        fwrite($file, 'secret');
    }
    flock($file, LOCK_EX);
    fclose($file);
    file_get_contents("$folder/cache/67890.txt");
    file_get_contents("$folder/cache/67890.txt");
    unlink("$folder/cache/67890.txt");
    file_get_contents('data:text/plain,secret');
    @stream_socket_client('tcp://127.0.0.1:9');
    shell_exec('SECRET=secret /bin/true --secret=secret');
    pclose(popen('"/bin/true" secret', 'r'));
    $process = proc_open(['/bin/true', 'secret'], [], $pipes);
    proc_close($process);
    usleep(1);
    include "$folder/cache/12345.php";
    eval('return 1;');
    for ($i = 0; $i < 10; $i++) {
        $object = new stdClass();
        $object->self = $object;
    }
    gc_collect_cycles();
}

xhprof_enable();
everything($folder);
xhprof_disable();
$json = operations_show();
echo str_contains($json, 'secret') ? "it has values\n" : "it has no values\n";

// Errors on the way, and operations within an operation.
class Nested
{
    public $context;

    public function stream_open(string $path, string $mode): bool
    {
        usleep(1);
        file_put_contents('php://memory', 'x');
        return true;
    }

    public function stream_stat(): array|false { return false; }
    public function stream_read(int $count): string { throw new Exception('no'); }
    public function stream_eof(): bool { return true; }
}

stream_wrapper_register('nested', Nested::class);
xhprof_enable();
try {
    file_get_contents('nested://bucket/users/5');
} catch (Exception $e) {
    echo get_class($e), "\n";
}
try {
    usleep(-1);
} catch (ValueError) {
    echo "ValueError\n";
}
try {
    fopen();
} catch (ArgumentCountError) {
    echo "ArgumentCountError\n";
}
$fiber = new Fiber(static function (): void {
    usleep(1);
    Fiber::suspend();
    usleep(1);
});
$fiber->start();
$fiber->resume();
$edges = xhprof_disable();
xhprof_test_check_invariants($edges, xhprof_call_tree());
operations_show();
xhprof_test_remove($folder);
?>
--EXPECTF--
compile: compile a string: ct=1 distinct=1 by eval::%s
compile: include a file: ct=1 distinct=1 by load::cache/12345.php
file: file_get_contents cache/{id}.txt: ct=2 distinct=1 by file_get_contents
file: file_get_contents data:: ct=1 distinct=1 by file_get_contents
file: fopen cache/{id}.txt: ct=1 distinct=1 by fopen
file: fwrite cache/{id}.txt: ct=3 distinct=3 by fwrite
file: unlink cache/{id}.txt: ct=1 distinct=1 by unlink
gc: collect garbage: ct=1 distinct=1 by gc_collect_cycles
http: GET 127.0.0.1:9/: ct=1 distinct=1 by fopen
http: GET 127.0.0.1:9/users/{id}/orders: ct=1 distinct=1 by file_get_contents
http: POST 127.0.0.1:9/users/{id}: ct=1 distinct=1 by file_get_contents
lock: flock cache/{id}.txt: ct=1 distinct=1 by flock
process: pclose: ct=1 distinct=1 by pclose
process: popen true: ct=1 distinct=1 by popen
process: proc_close: ct=1 distinct=1 by proc_close
process: proc_open true: ct=1 distinct=1 by proc_open
process: shell_exec true: ct=1 distinct=1 by shell_exec
sleep: usleep: ct=1 distinct=1 by usleep
socket: stream_socket_client: ct=1 distinct=1 by stream_socket_client
it has no values
Exception
ValueError
ArgumentCountError
invariants: ok
file: file_get_contents nested://bucket/users/{id}: ct=1 distinct=1 by file_get_contents
file: file_put_contents php://memory: ct=1 distinct=1 by file_put_contents
file: fopen: ct=1 distinct=1 by fopen
sleep: usleep: ct=1 distinct=1 by usleep
sleep: usleep: ct=1 distinct=1 by usleep
sleep: usleep: ct=1 distinct=1 by usleep
sleep: usleep: ct=1 distinct=1 by usleep

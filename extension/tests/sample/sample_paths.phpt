--TEST--
Sampling: paths through fibers, generators, callbacks, closures, methods, magic calls, files and destructors
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.sampling_interval=2000
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function works(): void
{
    $since = xhprof_test_looks();
    do {
        usleep(10_000);
    } while (!xhprof_test_looked($since));
}

class Thing
{
    public function __call(string $name, array $arguments): void
    {
        works();
    }

    public static function __callStatic(string $name, array $arguments): void
    {
        works();
    }

    public function method(): void
    {
        works();
    }

    public function __destruct()
    {
        works();
    }
}

function inner(): Generator
{
    works();
    yield 1;
    works();
}

function outer(): Generator
{
    yield from inner();
}

function through_generators(): void
{
    foreach (outer() as $value) {
    }
    $generator = inner();
    $generator->current();
}

function in_fiber(): void
{
    works();
    Fiber::suspend();
    deeper();
}

function deeper(): void
{
    Fiber::suspend();
    works();
}

function through_fibers(): void
{
    $fiber = new Fiber('in_fiber');
    $fiber->start();
    $other = new Fiber(static function () use ($fiber): void {
        $fiber->resume();
        $fiber->resume();
    });
    $other->start();
}

function through_callbacks(): void
{
    array_map('works', []);
    array_map(static fn () => works(), [1]);
    call_user_func_array([new ReflectionFunction('works'), 'invoke'], []);
    $first_class = works(...);
    $first_class();
    (fn () => works())->__invoke();
}

function through_methods(): void
{
    $thing = new Thing();
    $thing->method();
    $thing->unknown();
    Thing::unknown();
    unset($thing);
}

function through_files(string $file): void
{
    include $file;
    eval('works();');
}

$folder = xhprof_test_folder();
file_put_contents("$folder/a.php", '<?php function in_file() { works(); } works(); in_file(); include __DIR__ . "/b.php";');
file_put_contents("$folder/b.php", '<?php ' . str_repeat("if (!\$GLOBALS) { strlen('x' . __LINE__); }\n", 60_000) . 'works();');

// A file is compiled in its own time, and the sampler may look between two sleeps: paths that are wrong are so always, missing ones
// every time.
$paths = [];
for ($try = 0; $try < 20 && count($paths) < 15; $try++) {
    // The file's name, which must be new: in_file() is.
    $program = str_replace('in_file', $try ? "in_file$try" : 'in_file', file_get_contents("$folder/a.php"));
    file_put_contents("$folder/$try.php", $program);
    xhprof_sample_enable();
    through_generators();
    through_fibers();
    through_callbacks();
    through_methods();
    through_files("$folder/$try.php");
    $samples = xhprof_sample_disable();
    // What ended while works() began or returned is its own or its caller's.
    foreach (preg_grep('~==>works==>usleep$|==>load::.*/b\.php$~', $samples) as $path) {
        $path = preg_replace(['/{closure:[^}]*}/', '~load::xhprof-phpt[^/]*~', '/in_file\d+/', '/==>usleep$/'], ['{closure}', 'load::FOLDER', 'in_file', ''], $path);
        $paths[$path] = $path;
    }
}
sort($paths);
echo implode("\n", $paths), "\n";
?>
--EXPECT--
main()==>through_callbacks==>ReflectionFunction::invoke==>works
main()==>through_callbacks==>array_map==>{closure}==>works
main()==>through_callbacks==>works
main()==>through_callbacks==>{closure}==>works
main()==>through_fibers==>Fiber::start==>in_fiber==>works
main()==>through_fibers==>Fiber::start==>{closure}==>Fiber::resume==>in_fiber==>deeper==>works
main()==>through_files==>in_file==>works
main()==>through_files==>load::FOLDER/b.php
main()==>through_files==>works
main()==>through_generators==>Generator::current==>inner==>works
main()==>through_generators==>outer==>inner==>works
main()==>through_methods==>Thing::__call==>works
main()==>through_methods==>Thing::__callStatic==>works
main()==>through_methods==>Thing::__destruct==>works
main()==>through_methods==>Thing::method==>works

<?php

/*
 * child.php TARGET SEED FROM TO, with XHPROF_FUZZ_FOLDER in the environment: cases of one target; a line "case N" before each,
 * "wrong N TEXT" for each error, and "done". Warnings are errors.
 */

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use ErrorException;
use Throwable;

require __DIR__ . '/../../vendor/autoload.php';
require __DIR__ . '/../../xhprof_lib/autoload.php';
foreach (['Chance', 'Mutation', 'Target', 'Sandbox', 'Child', 'Pages', 'Seeds'] as $class) {
    require __DIR__ . "/$class.php";
}
[, $name, $seed, $from, $to] = $argv + array_fill(0, 5, '');
require __DIR__ . "/$name.php";

set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});
$class = __NAMESPACE__ . "\\$name";
// Not an argument: runs that are saved here contain the command line.
$target = new $class(new Sandbox((string) getenv('XHPROF_FUZZ_FOLDER')));
assert($target instanceof Target);
for ($case = (int) $from; $case <= (int) $to; $case++) {
    echo "case $case\n";
    try {
        $wrong = $target->attempt(new Chance((int) $seed, $name, $case));
    } catch (Throwable $e) {
        $wrong = [$e::class . ': ' . $e->getMessage() . ' in ' . basename($e->getFile()) . ':' . $e->getLine()];
    }
    foreach ($wrong as $what) {
        echo "wrong $case ", strtr(substr($what, 0, 2000), "\n", ' '), "\n";
    }
}
echo "done\n";

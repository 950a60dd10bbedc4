<?php

/**
 * The work of an import: import-work.php NAME FILE..., as JSON, one list per file. NAME is a reader, or a function of
 * slow-readers.php.
 */

declare(strict_types=1);

use XHProf\Exception\InvalidProfile;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Tests\Lib\Support\Work;

require dirname(__DIR__, 3) . '/vendor/autoload.php';
require_once __DIR__ . '/Work.php';
require_once __DIR__ . '/WorkVisitor.php';

Work::countIn('XHProf\\', dirname(__DIR__, 3) . '/xhprof_lib/src');
Work::load(__DIR__ . '/slow-readers.php');
$work = [];
[, $name] = $argv;
// The first time loads the classes.
foreach ([$argv[2] ?? '', ...array_slice($argv, 2)] as $path) {
    $file = InputFile::at($path);
    $slow = "XHProf\\Tests\\Lib\\Support\\$name";
    if (is_callable($slow)) {
        $work[] = Work::of(static fn () => $slow($file));
        continue;
    }
    // That takes the same for files of all sizes.
    $reader = Readers::for($file);
    if ($reader::NAME !== $name) {
        throw new LogicException("$name does not recognize its file, but " . $reader::NAME);
    }
    $work[] = Work::of(static function () use ($file, $reader): void {
        foreach ($reader->read($file) as $run) {
            if ($run instanceof InvalidProfile) {
                throw new LogicException($run->getMessage());
            }
        }
    });
}
echo json_encode(array_slice($work, 1), JSON_THROW_ON_ERROR), "\n";

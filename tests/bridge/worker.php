<?php

declare(strict_types=1);

// A worker: four jobs, two of which have no name. Prints the ids of their runs.

use XHProf\Bridge\Recorder;

require __DIR__ . '/autoload.php';

$recorder = new Recorder('jobs', null, []);
foreach (['GET a', null, '', 'set'] as $name) {
    $recorder->begin(true);
    if ($name === 'set') {
        xhprof_set_route('GET b');
    }
    echo $recorder->end($name === 'set' ? null : $name), "\n";
}

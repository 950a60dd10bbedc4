<?php

/*
 * auto_prepend_file of a script under `xhprof run`: starts the profile, then runs the auto_prepend_file
 * that the user's own php.ini asks for. It runs in the global scope, so it sets no variable.
 */

declare(strict_types=1);

namespace XHProf\Cli\Run;

require __DIR__ . '/Recorder.php';

if (Recorder::prepare()) {
    if (Recorder::$sampling === null) {
        \xhprof_enable(Recorder::$flags, Recorder::$options);
    } else {
        \xhprof_sample_enable(Recorder::$sampling);
    }
}
if (Recorder::$chained !== '') {
    require Recorder::$chained;
}

<?php

declare(strict_types=1);

// Settings of xhprof/bridge in Laravel. `php artisan vendor:publish --tag=xhprof-config` copies this file to config/xhprof.php.
// What the extension profiles by itself is set in php.ini (xhprof.start_with_request and others): `php artisan xhprof:status`
// shows it.

return [

    // Off: no route, no middleware, no listener, no command but xhprof:status.
    'enabled' => env('XHPROF_ENABLED', true),

    // The pages are below this path of the site, on this host, or on every one. Who may see them is decided by the gate
    // "viewXhprof"; without one of yours, everybody where APP_ENV is local, and nobody elsewhere.
    'path' => env('XHPROF_PATH', '_xhprof'),
    'domain' => env('XHPROF_DOMAIN'),

    // The middlewares of the pages, with the login of the gate's user. Forms of the pages have tokens of their own.
    'middleware' => ['web'],

    // The folder of the runs; null: what php.ini or XHPROF_OUTPUT_DIR says. Runs by settings of php.ini go to php.ini's.
    'folder' => null,

    // What a run records beside calls and wall time: cpu, memory, alloc, timeline, no_builtins.
    'flags' => ['cpu', 'memory', 'timeline'],

    // Until when a request is recorded. answer: the answer has the header X-XHProf-Run. terminate: also what runs after the answer
    // was sent (defer(), dispatchAfterResponse(), terminate() of middlewares), without that header.
    'until' => 'answer',

    // Paths whose requests are never recorded, nor profiled by settings of php.ini: "up", "horizon/*". Those of the pages never
    // are.
    'ignore' => ['up'],

    // Jobs of queues: one in this many has a run; 0: only those that ask for it (ShouldProfile, ->profiled()).
    'jobs' => ['one_in' => (int) env('XHPROF_JOBS_ONE_IN', 0)],

    // A tab of Laravel Debugbar, where that is installed.
    'debugbar' => true,
];

<?php

/*
 * A small shop, which tests/server and the benchmark run behind real servers: routes, templates, a database, sessions,
 * uploads, and routes for each way that a request can end.
 */

declare(strict_types=1);

namespace Shop;

require __DIR__ . '/src/autoload.php';

(new Application((string) ini_get('session.save_path') . '/../data'))->handle($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']);

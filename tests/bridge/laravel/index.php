<?php

declare(strict_types=1);

// public/index.php. Laravel's `artisan serve` names it for each address, whatever follows.

use Illuminate\Http\Request;

$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = __FILE__;
unset($_SERVER['PATH_INFO']);

(require __DIR__ . '/app.php')->handleRequest(Request::capture());

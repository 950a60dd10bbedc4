<?php

/*
 * templates.php AUTOLOAD FOLDER: compiles the templates of the pages in FOLDER (xhprof_html) beside them, with the Twig that is
 * loaded by AUTOLOAD and the version of PHP that runs this. Others compile them in each request.
 */

declare(strict_types=1);

namespace XHProf\Tools;

use XHProf\Web\Templates;

require $argv[1] ?? dirname(__DIR__) . '/vendor/autoload.php';

$pages = $argv[2] ?? dirname(__DIR__) . '/xhprof_html';
// Composer's packages for use do not know our classes: see tools/runtime.sh.
require_once dirname(__DIR__) . '/xhprof_lib/autoload.php';
(new Templates($pages))->compile();

<?php

/**
 * The classic functions that draw call graphs, for programs that include this file.
 * Declares nothing itself: a program may require it after a file that has included it already.
 */

declare(strict_types=1);

require_once __DIR__ . '/call_graphs.php';

<?php

/**
 * The classic functions over raw profiles, for programs that include this file.
 * Declares nothing itself: a program may require it after a file that has included it already.
 */

declare(strict_types=1);

require_once __DIR__ . '/raw_profiles.php';

<?php

/**
 * Included first by the command line and by each page: XHProf does not profile itself where php.ini or an exported
 * XHPROF_TRIGGER profiles all programs. What was started of this process is dropped, and no window counts it. With
 * XHPROF_PROFILE_SELF=1 in the environment it is profiled like any other.
 */

declare(strict_types=1);

if (getenv('XHPROF_PROFILE_SELF') !== '1' && function_exists('xhprof_ignore_request')) {
    xhprof_ignore_request();
}

<?php

/**
 * Returns the missing requirements of the pages and the command line, as a sentence without a full stop, or null. Loads no
 * class, because loading one could fail.
 */

declare(strict_types=1);

if (extension_loaded('mbstring') || extension_loaded('iconv')) {
    return null;
}

$version = [PHP_MAJOR_VERSION, PHP_MINOR_VERSION];

return "PHP's extension mbstring is missing; its package is php" . implode('.', $version) . '-mbstring (Debian, Ubuntu), '
    . 'php-mbstring (Fedora) or php' . implode($version) . '-mbstring (Alpine)';

<?php

/*
 * Returns the missing requirements of the pages and the command line, as a sentence without a full stop, or null. Loads no
 * class, because loading one could fail. PHP of any version can parse it: that of an old one is what is missing then.
 */

if (PHP_VERSION_ID < 80200) {
    return 'PHP 8.2 or newer is needed, this is PHP ' . PHP_VERSION
        . '; a newer one that is installed beside it has a name like php8.2';
}
if (extension_loaded('mbstring') || extension_loaded('iconv')) {
    return null;
}

return "PHP's extension mbstring is missing; its package is php" . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION
    . '-mbstring (Debian, Ubuntu), php-mbstring (Fedora) or php' . PHP_MAJOR_VERSION . PHP_MINOR_VERSION . '-mbstring (Alpine)';

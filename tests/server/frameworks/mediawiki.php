<?php

declare(strict_types=1);

// A request to MediaWiki: the entry point in XHPROF_TEST_MEDIAWIKI that the path names. MW_CONFIG_FILE is its LocalSettings.php.

$wiki = (string) getenv('XHPROF_TEST_MEDIAWIKI');
$entry = preg_match('~^/(index|api|load|rest)\.php~', $_SERVER['REQUEST_URI'], $match) === 1 ? $match[1] : 'index';
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = "/$entry.php";
$_SERVER['SCRIPT_FILENAME'] = "$wiki/$entry.php";
chdir($wiki);
require "$wiki/$entry.php";

<?php

/*
 * What LocalSettings.php has besides the lines of MediaWiki's own installer. Caches are in the database and, of the texts of
 * the language, in BENCH_CACHE. Requests do no jobs of others, so that each does the same.
 */

declare(strict_types=1);

$wgMainCacheType = CACHE_DB;
$wgParserCacheType = CACHE_DB;
$wgMessageCacheType = CACHE_DB;
$wgSessionCacheType = CACHE_DB;
$wgCacheDirectory = getenv('BENCH_CACHE');
$wgJobRunRate = 0;
$wgShowExceptionDetails = true;
// Debian has these folders beside links of a system where the package is installed.
foreach (['Cite', 'ParserFunctions'] as $name) {
    wfLoadExtension($name, "$IP/extensions-core/$name/extension.json");
}

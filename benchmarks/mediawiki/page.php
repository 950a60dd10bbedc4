<?php

/* One request to MediaWiki: its index.php or its api.php, of Debian's package, unpacked by tools/bench-deps.sh. */

declare(strict_types=1);

// The client of a server that listens on a file has no address, and MediaWiki refuses such a client.
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
$entry = parse_url((string) $_SERVER['REQUEST_URI'], PHP_URL_PATH) === '/api.php' ? 'api' : 'index';
require getenv('BENCH_MEDIAWIKI') . "/$entry.php";

<?php

/*
 * install.php: fills the tables of reviews and sales in SQLite's $SHOP_SQLITE and in the databases that the environment names.
 */

declare(strict_types=1);

namespace Shop;

require __DIR__ . '/src/autoload.php';

echo implode(' ', (new Installation(new Connections((string) getenv('SHOP_SQLITE'))))->fill()), "\n";

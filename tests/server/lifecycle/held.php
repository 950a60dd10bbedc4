<?php

declare(strict_types=1);

// "/ping" is answered at once. Any other request shows its begin as a file in HELD_FOLDER, and lasts until the file "go" is there.
if (($_SERVER['REQUEST_URI'] ?? '') === '/ping') {
    exit('pong');
}
$folder = (string) getenv('HELD_FOLDER');
$begun = tempnam($folder, 'begun-');
for ($i = 0; $i < 60_000 && !file_exists("$folder/go"); $i++) {
    usleep(1_000);
    clearstatcache();
}
echo $begun === false ? 'no folder' : 'held';

<?php

declare(strict_types=1);

use Symfony\Component\Console\Input\ArgvInput;

exit((require __DIR__ . '/app.php')->handleCommand(new ArgvInput()));

<?php

declare(strict_types=1);

use Symfony\Bundle\FrameworkBundle\Console\Application;
use XHProf\Tests\Bridge\Shop\ShopKernel;

require __DIR__ . '/autoload.php';

exit((new Application(new ShopKernel('dev', true)))->run());

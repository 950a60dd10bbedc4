<?php

declare(strict_types=1);

use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use XHProf\Bridge\Symfony\PagesController;
use XHProf\Bridge\Symfony\PanelExtension;

return static function (RoutingConfigurator $routes): void {
    $routes->add(PanelExtension::ROUTE, '%xhprof.path%/{page}')
        ->controller(PagesController::class)
        ->requirements(['page' => '.*'])
        ->defaults(['page' => ''])
        ->methods(['GET', 'HEAD', 'POST'])
        ->stateless(false);
};

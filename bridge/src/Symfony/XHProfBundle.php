<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Component\Config\Definition\Configurator\DefinitionConfigurator;
use Symfony\Component\Console\ConsoleEvents;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;
use Symfony\Component\HttpKernel\Bundle\AbstractBundle;
use Symfony\Component\Messenger\Event\WorkerMessageReceivedEvent;
use XHProf\Bridge\Mount;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\Recorder;

use function Symfony\Component\DependencyInjection\Loader\Configurator\param;
use function Symfony\Component\DependencyInjection\Loader\Configurator\service;
use function Symfony\Component\DependencyInjection\Loader\Configurator\service_closure;

/** XHProf in Symfony: the run of a request in the web profiler, recorded by a click; the pages; commands and messages. */
final class XHProfBundle extends AbstractBundle implements CompilerPassInterface
{
    private const FLAGS = ['cpu', 'memory', 'alloc', 'timeline', 'no_builtins'];

    protected string $extensionAlias = 'xhprof';

    public function getPath(): string
    {
        return __DIR__;
    }

    public function configure(DefinitionConfigurator $definition): void
    {
        /** @var \Symfony\Component\Config\Definition\Builder\ArrayNodeDefinition $root */
        $root = $definition->rootNode();
        $isSource = static fn (mixed $value): bool => !is_string($value) || preg_match('/\A[A-Za-z0-9_-]{1,64}\z/', $value) !== 1;
        $root->children()
            ->booleanNode('enabled')->defaultTrue()->info('false: nothing is recorded or shown')->end()
            ->scalarNode('path')
                ->defaultValue('/_xhprof')->cannotBeEmpty()
                ->info('where the pages are, if config/routes.php of this bundle is imported')
                ->validate()
                    ->ifTrue(static fn (mixed $value): bool => !is_string($value)
                        || preg_match('~\A(?:/[A-Za-z0-9._-]+)+\z~', $value) !== 1)
                    ->thenInvalid('The path of the pages is to be like "/_xhprof", without a slash at its end: %s')
                ->end()
            ->end()
            ->scalarNode('role')
                ->defaultNull()
                ->info('who sees the pages and may record by a click, such as ROLE_ADMIN; null: all in debug mode, else nobody')
            ->end()
            ->scalarNode('run_dir')
                ->defaultNull()->info('folder of the runs; null: as xhprof.output_dir of php.ini says')
            ->end()
            ->scalarNode('source')
                ->defaultValue('web')->info('the source of runs that are recorded here')
                ->validate()
                    ->ifTrue($isSource)->thenInvalid('A source has 1 to 64 letters, digits, "_" or "-": %s')
                ->end()
            ->end()
            ->arrayNode('flags')
                ->info('what is recorded beside calls and wall time: ' . implode(', ', self::FLAGS))
                ->enumPrototype()->values(self::FLAGS)->end()
                ->defaultValue(Recorder::FLAGS)
            ->end()
            ->arrayNode('source_roots')
                ->info('folders whose PHP files the pages show')
                ->scalarPrototype()->end()
                ->defaultValue(['%kernel.project_dir%'])
            ->end()
            ->scalarNode('editor')
                ->defaultNull()->info('opens source files: phpstorm, vscode ..., or a URL with %%f and %%l')
            ->end()
            ->arrayNode('settings')
                ->info('of the pages, by the names of their environment variables: XHPROF_OWNERS, XHPROF_FLEET ...')
                ->useAttributeAsKey('name')->normalizeKeys(false)->scalarPrototype()->end()
            ->end()
        ->end();
    }

    /** @param array<string, mixed> $config */
    public function loadExtension(array $config, ContainerConfigurator $container, ContainerBuilder $builder): void
    {
        /** @var array{enabled: bool, path: string, role: ?string, run_dir: ?string, source: string, flags: list<string>,
         *     source_roots: list<string>, editor: ?string, settings: array<string, string>} $config */
        $container->parameters()->set('xhprof.path', $config['path']);
        $settings = ['XHPROF_SOURCE_ROOTS' => implode(PATH_SEPARATOR, $config['source_roots'])]
            + ($config['editor'] === null ? [] : ['XHPROF_EDITOR' => $config['editor']]);
        $services = $container->services();
        $services->set('xhprof.next_request', NextRequest::class)->args([param('xhprof.secret')]);
        $services->set('xhprof.mount', Mount::class)
            ->args([$config['run_dir'], $config['settings'] + $settings, service('xhprof.next_request')]);
        $services->set('xhprof.access', PagesAccess::class)->args([
            $config['enabled'], $config['role'], param('kernel.debug'), service('security.authorization_checker')->nullOnInvalid(),
        ]);
        // Also where nothing is enabled: the routes stay imported.
        $services->set(PagesController::class)
            ->args([service('xhprof.mount'), service('xhprof.access'), service('profiler')->nullOnInvalid()])
            ->tag('controller.service_arguments')
            ->public();
        if ($config['enabled']) {
            $this->record($services, $config['source'], $config['run_dir'], $config['flags']);
        }
    }

    /** @param list<string> $flags */
    private function record(ServicesConfigurator $services, string $source, ?string $folder, array $flags): void
    {
        $services->set('xhprof.recorder', Recorder::class)
            ->args([$source, $folder, $flags])
            ->tag('kernel.reset', ['method' => 'reset']);
        $recorder = service_closure('xhprof.recorder');
        $services->set('xhprof.request_listener', RequestListener::class)
            ->args([$recorder, service_closure('xhprof.next_request')])
            ->tag('kernel.event_subscriber');
        if (class_exists(ConsoleEvents::class)) {
            $services->set('xhprof.command_listener', CommandListener::class)
                ->args([$recorder])
                ->tag('kernel.event_subscriber');
        }
        if (class_exists(WorkerMessageReceivedEvent::class)) {
            $services->set('xhprof.message_listener', MessageListener::class)
                ->args([service('xhprof.command_listener')])
                ->tag('kernel.event_subscriber');
        }
        $services->set('xhprof.data_collector', XHProfDataCollector::class)
            ->args([service('xhprof.recorder'), service('request_stack')])
            ->tag('data_collector', ['template' => '@XHProf/Collector/xhprof.html.twig', 'id' => XHProfDataCollector::NAME]);
        $services->set('xhprof.twig_extension', PanelExtension::class)
            ->args([$folder, service('xhprof.next_request'), service('router')->nullOnInvalid(), service('xhprof.access')])
            ->tag('twig.extension');
    }

    public function build(ContainerBuilder $container): void
    {
        $container->addCompilerPass($this);
    }

    public function process(ContainerBuilder $container): void
    {
        $container->setParameter('xhprof.secret', $container->hasParameter('kernel.secret') ? '%kernel.secret%' : '');
    }
}

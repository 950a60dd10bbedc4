<?php

declare(strict_types=1);

namespace XHProf\Status;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Script\PhpRuntime;
use XHProf\Script\RunSettings;
use XHProf\Store\DefaultFolder;
use XHProf\Store\RunFolder;

/** Shows whether automatic profiling is set up correctly. */
final class StatusCommand extends RunFolderCommand
{
    /** @param string $root folder of this installation */
    public function __construct(private readonly string $root)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('status')
            ->setDescription('Show whether PHP is set up to profile by itself, and what is missing')
            ->addValue('ini', "php.ini to check, or its folder: a server's /etc/php/8.2/fpm")
            ->addValues('php-option', 'Option of the php that is checked: KEY=VALUE, "-c FILE", "-n"', 'd')
            ->addValue('pool', 'Check only this pool of PHP-FPM: its name, or its file')
            ->addValue('ship-state', 'Folder that xhprof ship has as its --state')
            ->addFlag('json', 'Print JSON')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Checks the settings in effect and the run folder, and says what to do. The exit code is 1 when something
                is wrong, or nothing starts by itself. Name a web server's php.ini with <info>--ini</info>. Pools of
                PHP-FPM beside it (pool.d, php-fpm.d) are checked too, with their php_admin_value, php_value and env.

                  <info>xhprof status</info>
                  <info>xhprof status --ini=/etc/php/8.2/fpm</info>
                  <info>xhprof status --ini=/etc/php/8.2/fpm --pool=www</info>
                  <info>xhprof status --json</info>
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $ini = $given->text('ini');
        $options = RunSettings::phpOptions($given->texts('php-option'));
        $php = PhpSetup::ask($ini, $options);
        $remedy = $this->remedy($php, $options);
        $pools = $ini === null ? [] : FpmPool::find($ini, $given->text('pool'));
        if ($ini === null && $given->isGiven('pool')) {
            throw new UsageError("--pool needs --ini: the server's php.ini, or its folder");
        }
        $directory = $given->text('output-dir');
        $groups = self::groups($pools, $php);
        $setups = [];
        foreach ($groups as $group) {
            $setups[] = self::check($php, $group, $directory, $ini !== null, count($groups) > 1, $remedy, $output);
        }
        $folders = array_map(static fn (CheckedSetup $setup): string => $setup->folder->path, $setups);
        [$shipping, $unread] = Shipping::read($given->text('ship-state'), $folders, microtime(true));
        $report = StatusReport::of($setups, $shipping, $unread, $ini);
        self::show($report, $given, $output);

        return $report->facts['right'] === true ? self::SUCCESS : self::FAILURE;
    }

    /**
     * @param list<string> $options of php
     *
     * @return string how to get the extension, or a newer one, as `xhprof run` has it; '' where there is one that fits
     */
    private function remedy(PhpSetup $php, array $options): string
    {
        $runtime = new PhpRuntime($this->root, $options);

        return match (true) {
            $php->version === null => $runtime->missing(),
            !$php->canStart() => $runtime->remedy(),
            default => '',
        };
    }

    /**
     * @param list<FpmPool> $pools
     *
     * @return non-empty-list<list<FpmPool>> pools with equal settings together; one group without pools if there are none
     */
    private static function groups(array $pools, PhpSetup $php): array
    {
        $groups = [];
        foreach ($pools as $pool) {
            $groups[serialize([$php->withPool($pool)->settings, $pool->folder, $pool->user])][] = $pool;
        }

        return $groups === [] ? [[]] : array_values($groups);
    }

    /**
     * @param list<FpmPool> $pools    that set the same
     * @param string|null   $named    the folder that the user named
     * @param bool          $isServer whether it is another php's setup, whose environment is not this one
     * @param bool          $isOne    of several groups of pools
     * @param string        $remedy   how to get the extension
     */
    private static function check(
        PhpSetup $php,
        array $pools,
        ?string $named,
        bool $isServer,
        bool $isOne,
        string $remedy,
        OutputInterface $output,
    ): CheckedSetup {
        $pool = $pools[0] ?? null;
        $php = $pool === null ? $php : $php->withPool($pool);
        $set = $php->text('output_dir');
        $environment = $isServer ? $pool->folder ?? '' : (string) getenv(DefaultFolder::VARIABLE);
        $isNamed = $named !== null || $environment !== '';
        $server = $isServer ? ServerUser::find($pool?->user) : null;
        $directory = $named ?? array_values(array_filter([$set, $environment, $server?->folder()]))[0] ?? null;
        $store = new RunFolder($directory);
        $read = static fn (): FolderState => FolderState::read($store);
        $folder = SlowNotice::during("Reading {$store->directory()}", $output, $read);
        $writer = $isNamed || $set !== '' ? $pool?->user : $server?->name;
        $check = new Check($php, $folder, $isNamed, $writer, $isOne, $remedy);

        // If nothing starts profiles, the folder does not matter.
        $files = $isOne && $php->start() === 'no' ? [] : $check->folder();

        return new CheckedSetup($pools, $php, $folder, $check->settings(), $files);
    }
}

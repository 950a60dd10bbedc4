<?php

declare(strict_types=1);

namespace XHProf\Serve;

use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Exception\SendError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\FleetAddress;
use XHProf\Fleet\WrongAddress;
use XHProf\Owners\OwnerTable;
use XHProf\Script\PhpRuntime;
use XHProf\Source\SourceFiles;
use XHProf\Store\DefaultFolder;
use XHProf\Web\Http\Access;
use XHProf\Web\Source\EditorLink;

/** Serves the web pages until Ctrl-C. */
final class ServeCommand extends RunFolderCommand
{
    private const PORT = 8000;
    private const PORTS_TRIED = 100;

    public function __construct(private readonly string $root)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('serve')
            ->setDescription('Serve the web pages on this machine')
            ->addOption(
                'port',
                'p',
                InputOption::VALUE_REQUIRED,
                sprintf('Port [default: the first free one from %d]', self::PORT),
            )
            ->addOption('host', null, InputOption::VALUE_REQUIRED, 'Address to listen on', '127.0.0.1')
            ->addOption('no-token', null, InputOption::VALUE_NONE, 'Let every user and program of this machine see the pages')
            ->addOption('editor', null, InputOption::VALUE_REQUIRED, 'Editor for files: phpstorm, vscode... or a URL with %f, %l')
            ->addOption('editor-map', null, InputOption::VALUE_REQUIRED, 'Where files of a container are: "/app>/home/me/shop"')
            ->addOption(
                'source-root',
                null,
                InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY,
                'Folder whose source files the pages may show [default: any, if only you see the pages]',
            )
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Serves the pages of the saved runs with PHP's own web server, prints their address, and ends on Ctrl-C.

                The pages show the names, arguments and queries of your programs, and can delete runs. The address has a
                token: only the browser that opens it sees the pages, until it is closed; other users of this machine do
                not. Programs send <info>Authorization: Bearer TOKEN</info>. <info>--no-token</info> turns this off.

                If the environment variable XHPROF_UI_PASSWORD is set (12 bytes or more), the browser asks for that password
                instead, with any user name. An address that other machines can reach needs one. PHP's own web server is
                meant for your own machine; for other users, use a real web server with HTTPS and the password.

                A function's page shows its source where it is on this machine. Only files of PHP that the run names are
                read. An address that others can reach, <info>--no-token</info> and a password show none, unless
                <info>--source-root</info> (or XHPROF_SOURCE_ROOTS) names folders. <info>--editor</info> and
                <info>--editor-map</info> are XHPROF_EDITOR and XHPROF_EDITOR_MAP of the environment.

                With XHPROF_FLEET in the environment they also show what many hosts have sent to that store: see
                <info>xhprof fleet</info>.

                  <info>xhprof serve</info>
                  <info>xhprof serve --editor=phpstorm --editor-map='/app>/home/me/shop'</info>
                  <info>xhprof serve --port=8080 --output-dir=var/profiles</info>
                  <info>xhprof serve -v</info>     prints the requests
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $host = $given->text('host') ?? '127.0.0.1';
        $password = (string) getenv(Access::PASSWORD);
        if ($password !== '' && strlen($password) < Access::MIN_BYTES) {
            throw new CliError(Access::PASSWORD . ' is too short: it needs at least ' . Access::MIN_BYTES . ' bytes');
        }
        if (!WebServer::isLoopback($host) && $password === '') {
            throw new CliError("--host=$host can be reached from other machines: set the environment variable "
                . Access::PASSWORD . ' to a password for the pages');
        }
        $fleet = self::fleet();
        $directory = $given->store()->directory();
        $documents = $this->root . '/xhprof_html';
        if (!is_file("$documents/index.php")) {
            throw new CliError("the pages are missing: $documents/index.php does not exist");
        }
        $token = $password !== '' || $given->flag('no-token') ? '' : bin2hex(random_bytes(16));
        $server = WebServer::start(
            $documents,
            // The first counts where the extension is loaded, which has that setting.
            ['xhprof.output_dir=' . PhpRuntime::iniValue((string) realpath($directory))],
            [DefaultFolder::VARIABLE => (string) realpath($directory), Access::TOKEN => $token]
                + self::source($given, $token !== '' && WebServer::isLoopback($host)),
            $host,
            $this->ports($given, $host),
            $output->isVerbose(),
        );
        try {
            $url = $server->url() . ($token === '' ? '' : "?token=$token");
            $output->writeln("Runs of {$directory}{$fleet} at $url  (Ctrl-C ends)", OutputInterface::OUTPUT_RAW);
        } catch (CliError $error) {
            $server->end();
            throw $error;
        }

        return $server->wait();
    }

    /**
     * @return string " and hosts of clickhouse://...", '' without a store: the pages read its address from the environment too
     *
     * @throws CliError where they could not
     */
    private static function fleet(): string
    {
        try {
            $fleet = FleetAddress::read(static fn (string $name): string => (string) getenv($name));

            return $fleet === null ? '' : ' and hosts of ' . Client::fromDestination($fleet)->name();
        } catch (WrongAddress | SendError $e) {
            throw new CliError(FleetAddress::ADDRESS . ": {$e->getMessage()}", 0, $e);
        }
    }

    /**
     * @param bool $isPrivate whether only the user who started the pages sees them
     *
     * @return array<string, string> environment of the pages
     */
    private static function source(Arguments $given, bool $isPrivate): array
    {
        $roots = [];
        foreach ($given->texts('source-root') as $root) {
            $real = realpath($root);
            $roots[] = $real !== false && is_dir($real) ? $real : throw new CliError("--source-root: $root is not a folder");
        }
        $roots = $roots === [] && $isPrivate && getenv(SourceFiles::ROOTS) === false ? ['/'] : $roots;

        return array_filter([
            SourceFiles::ROOTS => implode(PATH_SEPARATOR, $roots),
            EditorLink::EDITOR => $given->text('editor') ?? '',
            EditorLink::MAP => $given->text('editor-map') ?? '',
            // Of the folder of the project, as for other commands.
            OwnerTable::FILE => getenv(OwnerTable::FILE) === false ? (string) realpath(OwnerTable::USUAL) : '',
        ]);
    }

    /** @return non-empty-list<int> ports to try */
    private function ports(Arguments $given, string $host): array
    {
        if (!$given->isGiven('port')) {
            return range(self::PORT, self::PORT + self::PORTS_TRIED - 1);
        }
        $port = $given->number('port', 65535);
        if ($port === 0) {
            return [WebServer::freePort($host)];
        }

        return [$port];
    }
}

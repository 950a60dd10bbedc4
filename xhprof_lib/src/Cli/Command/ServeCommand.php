<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Serve\WebServer;
use XHProf\Web\Http\Access;

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
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Serves the pages of the saved runs with PHP's own web server, prints the address, and ends on Ctrl-C.

                The pages show the names, arguments and queries of your programs, and can delete runs. On this machine
                they need no password, unless you set one; another address than this machine's own needs one, in the
                environment variable XHPROF_UI_PASSWORD. The browser asks for it, with any user name. It travels
                unencrypted: put a server that speaks HTTPS in front where the network is not yours, and set the password.

                  <info>xhprof serve</info>
                  <info>xhprof serve --port=8080 --output-dir=var/profiles</info>
                  <info>XHPROF_UI_PASSWORD=secret xhprof serve --host=0.0.0.0</info>
                  <info>xhprof serve -v</info>     prints the requests
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $host = self::text($input, 'host') ?? '127.0.0.1';
        if (!WebServer::isLoopback($host) && (string) getenv(Access::PASSWORD) === '') {
            throw new CliError("--host=$host can be reached from other machines: set the environment variable "
                . Access::PASSWORD . ' to the password that the pages shall ask for');
        }
        $directory = $this->store($input)->directory();
        $documents = $this->root . '/xhprof_html';
        if (!is_file("$documents/index.php")) {
            throw new CliError("the pages are missing: there is no $documents/index.php");
        }
        $server = WebServer::start(
            $documents,
            ['XHPROF_OUTPUT_DIR' => (string) realpath($directory)],
            $host,
            $this->ports($input, $host),
            $output->isVerbose(),
        );
        try {
            $output->writeln("Runs of {$directory} at {$server->url()}  (Ctrl-C ends)", OutputInterface::OUTPUT_RAW);
        } catch (CliError $error) {
            $server->end();
            throw $error;
        }

        return $server->wait();
    }

    /** @return non-empty-list<int> ports to try */
    private function ports(InputInterface $input, string $host): array
    {
        if ($input->getOption('port') === null) {
            return range(self::PORT, self::PORT + self::PORTS_TRIED - 1);
        }
        $port = self::number($input, 'port', 65535);
        if ($port === 0) {
            return [WebServer::anyPort($host)];
        }

        return [$port];
    }
}

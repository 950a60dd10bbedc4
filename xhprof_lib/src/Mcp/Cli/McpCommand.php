<?php

declare(strict_types=1);

namespace XHProf\Mcp\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\UsageError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\FleetAddress;
use XHProf\Fleet\WrongAddress;
use XHProf\Mcp\Lines;
use XHProf\Mcp\Server;
use XHProf\Mcp\Tools\Desk;
use XHProf\Mcp\Tools\Tool;
use XHProf\Mcp\Tools\Tools;
use XHProf\Mcp\Tools\Words;
use XHProf\Source\PathMap;
use XHProf\Source\SourceFiles;
use XHProf\Store\RunFolder;
use XHProf\Web\Source\EditorLink;

/** `xhprof mcp`: a server of the Model Context Protocol on stdio. */
final class McpCommand extends RunFolderCommand
{
    /** @param string $root folder of this installation */
    public function __construct(private readonly string $root, private readonly string $release)
    {
        parent::__construct('mcp');
    }

    protected function configure(): void
    {
        $this->setDescription('Answer a coding assistant: a server of the Model Context Protocol on stdin and stdout')
            ->addValues('with-source', 'Show lines of source files that a run names, below this folder')
            ->addFlag('allow-run', 'Also offer to run and profile PHP scripts')
            ->addValue('max-seconds', 'Seconds of an answer, unless it is asked for more', Tool::USUAL_SECONDS)
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Reads requests of the Model Context Protocol from stdin, one JSON message per line, and answers on stdout. A coding
                assistant starts it; its configuration names the command:

                  {"mcpServers": {"xhprof": {"command": "xhprof", "args": ["mcp", "--with-source=."]}}}

                Its tools are the questions of this command line: list_runs, findings, top, callers_callees, path, operations,
                diff, memory, leaks, heap, requests; fleet where XHPROF_FLEET names a store. An answer has at most 8 KB and says
                what was left out, how to ask for it, and the most useful next question. Secrets are taken out as
                <info>xhprof ship</info> does.

                It reads the run folder alone, and writes nothing there but the folder's index. <info>--with-source</info> allows
                lines of PHP files that a run names, below a folder. <info>--allow-run</info> adds the tool profile_command, which
                runs scripts with the rights of this user: allow it only where the assistant may run commands anyway.

                  <info>xhprof mcp</info>
                  <info>xhprof mcp --output-dir=/srv/xhprof --with-source=/srv/app</info>
                  <info>xhprof guide</info>      the same for assistants that use the command line
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $seconds = $given->number('max-seconds', Tool::MOST_SECONDS);
        // The first profile may make it.
        $folder = (new RunFolder($given->text('output-dir')))->directory();
        $desk = new Desk($folder, new Words(), self::source($given->texts('with-source')), self::fleet());
        $tools = new Tools($desk, $given->flag('allow-run') ? $this->program() : null, max(1, $seconds));
        $log = static function (string $line): void {
            @file_put_contents('php://stderr', 'xhprof mcp: ' . preg_replace('/[\x00-\x1F\x7F]+/', ' ', $line) . "\n");
        };
        (new Server($tools, 'xhprof', 'XHProf, a profiler for PHP', $this->release, new Lines(STDIN), STDOUT, $log))->run();

        return self::SUCCESS;
    }

    /** @return list<string> the command line of this program */
    private function program(): array
    {
        return [PHP_BINARY, \Phar::running(false) === '' ? "$this->root/bin/xhprof" : \Phar::running(false)];
    }

    /** @param list<string> $folders */
    private static function source(array $folders): ?SourceFiles
    {
        $real = [];
        foreach ($folders as $folder) {
            $path = realpath($folder);
            $real[] = $path !== false && is_dir($path) ? $path : throw new UsageError("--with-source: there is no folder $folder");
        }

        return $real === [] ? null : new SourceFiles($real, PathMap::parse((string) getenv(EditorLink::MAP)));
    }

    private static function fleet(): ?Client
    {
        try {
            $address = FleetAddress::read(static fn (string $name): string => (string) getenv($name));

            return $address === null ? null : Client::fromDestination($address);
        } catch (WrongAddress $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
    }
}

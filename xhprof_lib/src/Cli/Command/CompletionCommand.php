<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Command\DumpCompletionCommand;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\UsageError;

/** Prints a shell's completion script. It is symfony's, changed to complete file names as well. */
final class CompletionCommand extends Command
{
    use ProgramSynopsis;

    /**
     * Patterns and their replacements in each shell's script, so that it completes files where we suggest nothing: also after
     * --option=. In zsh also at the first TAB, where the script is a file of $fpath, which is run as the function of its name.
     */
    private const CHANGES = [
        'bash' => ['/^complete -F /m' => 'complete -o default -F '],
        'zsh' => [
            '/^( *)(_describe .*)\n *return \$\?$/m' => "$1$2 && return 0\n$1compset -P '-*='\n$1_files",
            '/^compdef (_sf_(\S+)) .*$/m' => "$0\n\nif [[ \"\${funcstack[1]}\" == _$2 ]]; then\n    $1 \"\$@\"\nfi",
        ],
        'fish' => [
            '/^( *)(set sfcomplete .*)$/m' => "$1$2\n$1if test -z \"\$sfcomplete\" -a \$c -gt 1\n"
                . "$1$1set sfcomplete (__fish_complete_path (string replace -r -- '^-[^=]*=' '' (commandline -ct)))\n$1end",
        ],
    ];

    protected function configure(): void
    {
        $this->setName('completion')
            ->setDescription('Print the script that completes commands, options and runs in a shell')
            ->setHidden()
            ->addArgument('shell', InputArgument::OPTIONAL, 'The shell [default: that of $SHELL]', null, array_keys(self::CHANGES))
            ->setHelp(
                <<<'HELP'
                TAB completes commands, options, runs and files once the shell has read the script:

                  <info>xhprof completion bash > ~/.local/share/bash-completion/completions/xhprof</info>
                  <info>xhprof completion zsh  > ~/.zsh/_xhprof</info>            a folder of $fpath
                  <info>xhprof completion fish > ~/.config/fish/completions/xhprof.fish</info>

                bash needs its package bash-completion.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $shell = $input->getArgument('shell');
        $shell = is_string($shell) ? $shell : basename((string) getenv('SHELL'));
        if (!isset(self::CHANGES[$shell])) {
            throw new UsageError('name the shell: ' . implode(', ', array_keys(self::CHANGES)));
        }
        $script = new BufferedOutput();
        (new DumpCompletionCommand())->run(new ArrayInput(['shell' => $shell]), $script);
        $output->write(
            (string) preg_replace(array_keys(self::CHANGES[$shell]), self::CHANGES[$shell], $script->fetch()),
            false,
            OutputInterface::OUTPUT_RAW,
        );

        return self::SUCCESS;
    }
}

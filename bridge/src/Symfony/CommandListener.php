<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Component\Console\ConsoleEvents;
use Symfony\Component\Console\Event\ConsoleCommandEvent;
use Symfony\Component\Console\Event\ConsoleTerminateEvent;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use XHProf\Bridge\Recorder;

/**
 * The option --xhprof of each command: it is recorded as a run, whose id is printed at its end, to stderr. Of a command that works
 * off messages each message is a run: see MessageListener.
 */
final class CommandListener implements EventSubscriberInterface
{
    private const OPTION = 'xhprof';

    private const CONSUMER = 'messenger:consume';

    /** Commands that run within each other. */
    private int $depth = 0;

    private ?Recorder $running = null;

    private ?Recorder $ofMessages = null;

    private ?OutputInterface $output = null;

    /** @param \Closure(): Recorder $recorder */
    public function __construct(private readonly \Closure $recorder)
    {
    }

    public static function getSubscribedEvents(): array
    {
        return [
            ConsoleEvents::COMMAND => ['begin', 4095],
            // Before the web profiler saves what it has of a command.
            ConsoleEvents::TERMINATE => ['end', -4095],
        ];
    }

    public function begin(ConsoleCommandEvent $event): void
    {
        $this->depth++;
        $command = $event->getCommand();
        $definition = $command?->getApplication()?->getDefinition();
        if ($definition !== null && !$definition->hasOption(self::OPTION)) {
            $definition->addOption(new InputOption(
                self::OPTION,
                null,
                InputOption::VALUE_NONE,
                'Record the command as a run of XHProf; of ' . self::CONSUMER . ' each message',
            ));
        }
        if ($this->depth > 1 || !$event->getInput()->hasParameterOption('--' . self::OPTION, true)) {
            return;
        }
        $output = $event->getOutput();
        $this->output = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        if ($command?->getName() === self::CONSUMER) {
            $this->ofMessages = ($this->recorder)();

            return;
        }
        $this->running = ($this->recorder)();
        $this->running->begin(true);
    }

    public function end(ConsoleTerminateEvent $event): void
    {
        $this->depth = max(0, $this->depth - 1);
        if ($this->depth > 0) {
            return;
        }
        if ($this->running !== null) {
            $this->running->end($event->getCommand()?->getName());
            $this->say($this->running);
        }
        $this->running = $this->ofMessages = $this->output = null;
    }

    /** Begins a run of a message, where a command works these off with --xhprof. */
    public function beginMessage(): void
    {
        $this->ofMessages?->begin(true);
    }

    /** @param string $name of the message */
    public function endMessage(string $name): void
    {
        if ($this->ofMessages !== null) {
            $this->ofMessages->end($name);
            $this->say($this->ofMessages, $name);
        }
    }

    private function say(Recorder $recorder, string $what = ''): void
    {
        $id = $recorder->runId();
        $this->output?->writeln(
            'XHProf' . ($what === '' ? '' : " $what") . ': '
                . ($recorder->problem() ?? ($id === null ? 'no run' : "run $id." . $recorder->source())),
            OutputInterface::OUTPUT_RAW,
        );
    }
}

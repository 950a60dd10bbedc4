<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\UsageError;

/** A command that alone lists its questions, which are commands of their own: "heap summary" is heap:summary. */
abstract class QuestionsCommand extends Command
{
    use ProgramSynopsis;

    /** @var string */
    public const NAME = '';

    /** What follows "xhprof NAME" in its usage. */
    protected const USAGE = '';

    /** What the list begins with. */
    protected const ABOUT = '';

    /** @param string $example a question */
    protected function addQuestion(string $example): static
    {
        $name = static::NAME;

        return $this->setName($name)
            ->addArgument(
                'question',
                InputArgument::OPTIONAL,
                'What to ask or do',
                null,
                fn (): array => array_keys($this->questions()),
            )
            ->addArgument('rest', InputArgument::IS_ARRAY, 'Its arguments')
            ->setHelp("`xhprof $name` lists the questions, `xhprof $name $example --help` explains one.");
    }

    /** @return list<string> what is said below the list */
    abstract protected function more(): array;

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $question = $input->getArgument('question');
        $questions = $this->questions();
        if (is_string($question) && $question !== '') {
            throw new UsageError("unknown question \"$question\"; take one of " . implode(', ', array_keys($questions)));
        }
        $output->writeln([
            'xhprof ' . static::NAME . ' - ' . static::ABOUT,
            '',
            '<comment>Usage:</comment>  xhprof ' . static::NAME . ' ' . static::USAGE,
            '',
            '<comment>Questions:</comment>',
        ]);
        $width = 1 + max(0, ...array_map(strlen(...), array_keys($questions)));
        foreach ($questions as $word => $about) {
            $output->writeln(sprintf("  <info>%-{$width}s</info> %s", $word, $about));
        }
        $output->writeln(['', ...$this->more()]);

        return self::SUCCESS;
    }

    /** @return array<string, string> what each is about, by its word */
    private function questions(): array
    {
        $questions = [];
        foreach ($this->getApplication()?->all(static::NAME) ?? [] as $command) {
            $questions[substr((string) $command->getName(), strlen(static::NAME) + 1)] = $command->getDescription();
        }

        return $questions;
    }
}

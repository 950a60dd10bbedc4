<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge\Shop;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('shop:work', 'Counts stock')]
final class WorkCommand extends Command
{
    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $output->writeln('stock: ' . $this->stock());

        return Command::SUCCESS;
    }

    private function stock(): int
    {
        return array_sum(range(1, 10));
    }
}

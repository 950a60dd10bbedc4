<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\LabelValues;

/** Which labels requests have, and how many values. */
final class LabelsCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('labels', 'Labels: how many values each has, and what had no room')
            ->addArgument('name', InputArgument::OPTIONAL, 'List the values of this label')
            ->addSelection()
            ->addLimitOption('lines', 40)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                Free labels are those of `xhprof ship --label`; `--label=NAME=VALUE` limits any question to one of their values.
                Values beyond the bound of a host are (other).

                  <info>xhprof fleet labels --service=shop</info>
                  <info>xhprof fleet labels team --service=shop</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $question = new LabelValues(self::client($input));
        $which = self::selection($input, false);
        $name = self::argument($input, 'name');
        if ($name !== '') {
            return self::show(new RowsView([
                'requests' => ['requests', RowsView::COUNT, 0],
                'hosts' => ['hosts', RowsView::COUNT, 1],
                'value' => [$name, RowsView::NAME, 0],
            ], $question->values($which, $name, self::most($input)), 'No request of this selection has this label.', [], [
                'label' => $name,
            ]), $input, $output);
        }
        $all = $question->names($which);
        $rows = array_map(static fn (array $one): array => ['kind' => $one['is_free'] ? 'free' : ''] + $one, $all);

        return self::show(new RowsView([
            'values' => ['values', RowsView::COUNT, 0],
            'requests' => ['requests', RowsView::COUNT, 1],
            'other' => ['(other)', RowsView::COUNT, 0],
            'hosts' => ['hosts', RowsView::COUNT, 2],
            'kind' => ['', RowsView::TEXT, 3],
            'label' => ['label', RowsView::NAME, 0],
        ], self::first($rows, $input), 'No requests of this selection have arrived.', [], [
            'labels_total' => count($all),
        ]), $input, $output);
    }
}

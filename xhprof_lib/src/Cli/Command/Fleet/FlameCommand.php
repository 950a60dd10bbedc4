<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Fleet;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\ExportFile;
use XHProf\Export\ExportedRun;
use XHProf\Export\JsonRun;
use XHProf\Export\Sink;
use XHProf\Fleet\Question\Flame;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\Selection;
use XHProf\Format\Text;
use XHProf\Profile\SampleCount;
use XHProf\Store\RunMeta;

/** Makes a run of what many hosts sampled, which the views of runs open. */
final class FlameCommand extends StoreCommand
{
    /** Source of the runs that it makes. */
    private const SOURCE = 'fleet';

    protected function configure(): void
    {
        $this->question('flame', 'The call paths of a selection as one run, for flame graphs and reports')
            ->addSelection()
            ->addClock()
            ->addOption('output', 'o', InputOption::VALUE_REQUIRED, 'Write a file for `xhprof import`, - for standard output')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Saves the run in the run folder and prints its id: `xhprof report ID` and the pages (`xhprof serve`) open it like
                any other, with routes below main(). Two of them can be compared.

                  <info>xhprof fleet flame --service=shop --release=1.5 --route='GET /users/{id}'</info>
                  <info>xhprof fleet flame --service=shop --host=web-07 --output=web-07.run.json</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $client = self::client($input);
        $which = self::selection($input);
        $clock = self::clock($input);
        $file = self::text($input, 'output');
        $store = $file === null ? $this->store($input) : null;
        $tree = (new Flame($client))->tree($which, $clock)
            ?? throw new CliError('not enough data: no samples of this selection have arrived');
        $samples = array_sum($tree->ct);
        $metric = isset($tree->self[$clock->metric()]) ? $clock->metric() : $tree->metrics()[0];
        $time = array_sum($tree->exclusive($metric));
        $interval = $samples === 0 ? 0 : (int) round($time / $samples / 1000);
        $profile = $tree->toEdges()->sampled(new SampleCount($interval, $samples));
        $meta = [
            'ts' => (float) ($which->from ?? time()),
            'duration_us' => intdiv((int) $time, 1000),
            'name' => self::title($which),
            'meta' => ['fleet' => $which->toArray() + ['requests' => array_sum((new Functions($client))->requests($which))]],
        ] + RunMeta::ofSamples($clock->value, $samples, $interval);
        if ($store !== null) {
            $id = $store->save($profile, self::SOURCE, null, $meta, $tree);
            $output->writeln($id->id, OutputInterface::OUTPUT_RAW);

            return self::SUCCESS;
        }
        $run = new ExportedRun(null, $profile, $tree, RunMeta::fromArray($meta), self::title($which));
        ExportFile::write((string) $file, static fn (Sink $out) => (new JsonRun())->write($run, $out));

        return self::SUCCESS;
    }

    /** "shop 1.5 GET /users/{id}". */
    private static function title(Selection $which): string
    {
        $parts = [$which->service, $which->env, $which->release, $which->host, $which->route, ...array_map(
            static fn (int|string $name, string $value): string => "$name=$value",
            array_keys($which->labels),
            $which->labels,
        )];
        $parts = array_filter($parts, static fn (string $part): bool => $part !== '');

        return Text::printable(implode(' ', $parts));
    }
}

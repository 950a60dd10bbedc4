<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\GroupOptions;
use XHProf\Cli\UsageError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Report\FunctionsReport;
use XHProf\Fleet\Report\GroupsReport;
use XHProf\Fleet\Report\HostsReport;
use XHProf\Fleet\Report\KeptReport;
use XHProf\Fleet\Report\LabelsReport;
use XHProf\Fleet\Report\OneFunctionReport;
use XHProf\Fleet\Report\ReleasesReport;
use XHProf\Fleet\Report\RoutesReport;
use XHProf\Fleet\Report\ServicesReport;
use XHProf\Fleet\Report\StoreReport;
use XHProf\Fleet\Report\TrendReport;
use XHProf\Fleet\Report\VerdictsReport;
use XHProf\Report\Report;

/** A question that one report answers: its options, and how the report is made of them. */
final class QuestionCommand extends StoreCommand
{
    /**
     * @param \Closure(self): self $options
     * @param \Closure(Client, Arguments): Report $report
     * @param string $rows      what --limit counts
     * @param bool   $isLimited whether the report has as many rows as --limit says, in an order of its own
     */
    private function __construct(
        private readonly string $word,
        private readonly string $about,
        private readonly \Closure $options,
        private readonly \Closure $report,
        private readonly string $rows,
        private readonly int $limit,
        private readonly string $help = '',
        private readonly bool $isLimited = false,
    ) {
        parent::__construct();
    }

    protected function configure(): void
    {
        ($this->options)($this->question($this->word, $this->about));
        if (!$this->isLimited) {
            $this->addOrderOptions();
        }
        $this->addLimitOption($this->rows, $this->limit)->addFlag('json', 'Print JSON')->setHelp($this->help);
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $report = ($this->report)(self::client($given), $given);
        if (!$this->isLimited) {
            // --limit counts functions, of which each may have several lines.
            $limit = self::isByRelease($given) ? 0 : $given->number('limit');
            $report = $report->shown($given->order($report->orders()), $limit);
        }

        return self::show($report, $given, $output);
    }

    private static function isByRelease(Arguments $given): bool
    {
        return $given->has('by-release') && $given->flag('by-release');
    }

    public static function services(): self
    {
        return new self(
            'services',
            'Services: requests, failures, time, cost in core-hours',
            static fn (self $command): self => $command->addSelection(),
            static fn (Client $client, Arguments $given): Report
                => (new ServicesReport($client, self::selection($given, false)))->report(),
            'services',
            30,
            <<<'HELP'
            A core-hour is an hour of CPU time that requests took. The most expensive services come first.

              <info>xhprof fleet services --env=prod --from=2026-11-21</info>
            HELP,
        );
    }

    public static function routes(): self
    {
        return new self(
            'routes',
            'Routes by release: requests, failures, percentiles',
            static fn (self $command): self => $command->addSelection(),
            static fn (Client $client, Arguments $given): Report
                => (new RoutesReport($client, self::selection($given)))->report(),
            'lines',
            40,
            <<<'HELP'
            The routes that took most time come first. Percentiles are of all requests, at most 2 % off.

              <info>xhprof fleet routes --service=shop --release=v42 --sort=p99</info>
            HELP,
        );
    }

    public static function trend(): self
    {
        return new self(
            'trend',
            'Requests over time, by release: rate, failures, percentiles, CPU time',
            static fn (self $command): self => $command->addSelection(),
            static fn (Client $client, Arguments $given): Report
                => (new TrendReport($client, self::selection($given)))->report($given->number('limit')),
            'lines',
            24,
            <<<'HELP'
            A step is 10 minutes of two days, an hour of two weeks, else a day (UTC). A picture is of all releases
            together, each character a step or several; the newest lines follow it. Percentiles are of all requests
            of a step, at most 2 % off.

              <info>xhprof fleet trend --service=shop --route='GET /users/{id}' --from=2026-11-21</info>
            HELP,
            true,
        );
    }

    public static function functions(): self
    {
        return new self(
            'functions',
            'Functions: own time and time with callees per request, by release',
            static fn (self $command): self => GroupOptions::addTo($command->addSelection()->addClock()
                ->addFlag('by-release', 'A line for each release'))
                ->addValue('per', 'With --by: the share of each in the time of every route or site', suggested: GroupsReport::PER),
            static fn (Client $client, Arguments $given): Report => self::groups($client, $given) ?? FunctionsReport::report(
                $client,
                self::selection($given),
                self::clock($given),
                self::isByRelease($given) ? self::most($given) : self::fetched($given),
                self::isByRelease($given),
            ),
            'functions',
            30,
            <<<'HELP'
            Times are sums over samples, divided by all requests of the selection. The most own time comes first.

            --by adds them up by package, plug-in, folder, namespace or owner, along the call paths: what PHP's own functions take
            belongs to their callers. --per=site is one table for all sites of a hoster, by the host of their routes
            (xhprof.route_host).

              <info>xhprof fleet functions --service=shop --by=package</info>
              <info>xhprof fleet functions --service=hosting --by=plugin --per=site</info>
            HELP,
        );
    }

    /** What --by asks for; null without it. */
    private static function groups(Client $client, Arguments $given): ?Report
    {
        $grouping = GroupOptions::of($given);
        $per = $given->text('per') === null ? null : $given->oneOf('per', GroupsReport::PER);
        if ($grouping === null) {
            return $per === null ? null : throw new UsageError('--per needs --by');
        }
        if (self::isByRelease($given)) {
            throw new UsageError('--by and --by-release exclude each other; --release names one');
        }

        return GroupsReport::report($client, self::selection($given), self::clock($given), $grouping, $per);
    }

    public static function function(): self
    {
        return new self(
            'function',
            'One function: by release, over time, callers, callees, hosts',
            static fn (self $command): self => $command
                ->addArgument('name', InputArgument::REQUIRED, 'Its name, as `xhprof fleet functions` prints it')
                ->addSelection()
                ->addClock(),
            static function (Client $client, Arguments $given): Report {
                [$which, $clock] = [self::selection($given), self::clock($given)];
                $function = new OneFunctionReport($client, $which, $clock, $given->argument('name'));
                if ($function->figures === null) {
                    throw new CliError('no host has sent a function of this name: `xhprof fleet functions` lists them');
                }

                return $function->report($given->number('limit'));
            },
            'lines of each table',
            10,
            <<<'HELP'
            Times are per request of the selection. Time below callers is the function's with all it called, time below
            callees is theirs: with the function's own time they add up to the same. Hosts are compared by the function's
            own time in requests of the same routes. Steps of time are those of `xhprof fleet trend`.

              <info>xhprof fleet function PDO::prepare --service=shop --route='GET /users/{id}'</info>
            HELP,
            true,
        );
    }

    public static function hosts(): self
    {
        return new self(
            'hosts',
            'Hosts: how slow each is beside the others, and which stand out',
            static fn (self $command): self => $command->addSelection()->addClock(),
            static fn (Client $client, Arguments $given): Report
                => HostsReport::report($client, self::selection($given), self::clock($given)),
            'hosts',
            20,
            <<<'HELP'
            1.20 is a host on which the same requests take a fifth longer than on the host in the middle: each route is
            compared with itself on other hosts. A host stands out if its modified z-score is above 3.5, and it
            is at least a twentieth slower.

              <info>xhprof fleet hosts --service=shop --route='GET /users/{id}'</info>
            HELP,
        );
    }

    public static function releases(): self
    {
        return new self(
            'releases',
            'Releases of a service, and when each was seen',
            static fn (self $command): self => $command->addSelection(false),
            static fn (Client $client, Arguments $given): Report => ReleasesReport::report($client, self::selection($given)),
            'releases',
            20,
            '  <info>xhprof fleet releases --service=shop</info>',
        );
    }

    public static function leaks(): self
    {
        return new self(
            'leaks',
            'What requests keep: call paths whose memory grows, over time',
            static fn (self $command): self => $command->addSelection(),
            static fn (Client $client, Arguments $given): Report => KeptReport::report($client, self::selection($given)),
            'paths',
            20,
            <<<'HELP'
            Which call paths keep memory beyond their requests, how much of each request, and whether that goes on: as
            `xhprof leaks --from` has it, of all hosts together. Windows have that of workers whose allocations are
            sampled (xhprof.alloc_sample_bytes), and the store has it for 30 days.

              <info>xhprof fleet leaks --service=shop --route='App\Job\SendInvoice' --from=2026-11-21</info>
            HELP,
        );
    }

    public static function labels(): self
    {
        return new self(
            'labels',
            'Labels: how many values each has, and what had no room',
            static fn (self $command): self => $command
                ->addArgument('name', InputArgument::OPTIONAL, 'List the values of this label')
                ->addSelection(),
            static function (Client $client, Arguments $given): Report {
                [$which, $name] = [self::selection($given, false), $given->argument('name')];

                return $name === ''
                    ? LabelsReport::names($client, $which)
                    : LabelsReport::values($client, $which, $name, self::fetched($given));
            },
            'lines',
            40,
            <<<'HELP'
            Free labels are those of `xhprof ship --label`; `--label=NAME=VALUE` limits any question to one of their values.
            Values beyond the bound of a host are (other).

              <info>xhprof fleet labels --service=shop</info>
              <info>xhprof fleet labels team --service=shop</info>
            HELP,
        );
    }

    public static function verdicts(): self
    {
        return new self(
            'verdicts',
            'Regressions that were found and saved, the newest first',
            static fn (self $command): self => $command->addPlace(),
            static function (Client $client, Arguments $given): Report {
                $text = static fn (string $option): string => $given->text($option) ?? '';
                $which = new Selection($text('service'), $text('env'), $text('route'), $text('release'));

                return VerdictsReport::report($client, $which, self::fetched($given));
            },
            'verdicts',
            30,
            '  <info>xhprof fleet verdicts --service=shop --release=v42</info>',
        );
    }

    public static function diff(): self
    {
        return new self(
            'diff',
            'Functions of two releases: time per request, and its change',
            static fn (self $command): self => $command->addPair(),
            static function (Client $client, Arguments $given): Report {
                [$which, $clock] = [self::selection($given), self::clock($given)];

                return FunctionsReport::ofTwo($client, $which, $clock, self::pair($given, $client, $which));
            },
            'functions',
            30,
            <<<'HELP'
            The largest change of own time per request comes first, whether chance explains it or not:
            `xhprof fleet regressions` tests that. Two flame graphs to compare are two runs of `xhprof fleet flame`.

              <info>xhprof fleet diff --service=shop --base=v41 --release=v42</info>
            HELP,
        );
    }

    public static function status(): self
    {
        return new self(
            'status',
            'Version and size of the store, and which hosts are late or lose runs',
            static fn (self $command): self => $command->addValue('service', 'Only this service'),
            static function (Client $client, Arguments $given): Report {
                $store = new StoreReport($client);
                if ($store->version === 0) {
                    throw new CliError("{$client->name()} is no store yet: xhprof fleet init");
                }

                return $store->report($given->text('service') ?? '');
            },
            'hosts',
            20,
            <<<'HELP'
            A host is late by the age of the newest run that has arrived from it. The latest come first. One whose runs arrived
            just now, and that is late, sends older ones first, or its clock is behind. What waits there, and what never
            arrived, is as its shippers reported last: runs that left their folder unsent, that the store refused, that could
            not be read, and values of labels that became (other).

            Rows and bytes are those of the server that answers. A host and day is one on which requests of it arrived.

              <info>xhprof fleet status --service=shop</info>
            HELP,
        );
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Fleet;

use Symfony\Component\Console\Input\InputInterface;
use XHProf\Cli\CliError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Selection;

/** Common parts of the commands that compare two releases. */
abstract class PairCommand extends StoreCommand
{
    protected function addPair(): static
    {
        return $this->addSelection(false)
            ->addValue('release', 'The release that is looked at [default: the newest]')
            ->addValue('base', 'The one it is compared with [default: the one before]')
            ->addClock();
    }

    /**
     * @return array{string, string} base and release
     *
     * @throws CliError if there are no two
     */
    protected static function pair(InputInterface $input, Client $client, Selection $which): array
    {
        $pair = ReleasePair::of($client, $which, self::text($input, 'release') ?? '', self::text($input, 'base') ?? '')
            ?? throw new CliError('not enough data: there are no two releases of this selection to compare');

        return [$pair->base, $pair->release];
    }
}

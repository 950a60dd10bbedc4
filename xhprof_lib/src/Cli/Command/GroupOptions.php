<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use XHProf\Cli\UsageError;
use XHProf\Exception\InvalidJsonFile;
use XHProf\Format\ClosestWord;
use XHProf\Format\Text;
use XHProf\Owners\GroupBy;
use XHProf\Owners\GroupedRun;
use XHProf\Owners\Grouping;
use XHProf\Owners\OwnerTable;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;

/** The options of commands that add up functions: --by, --group, --owners. */
final class GroupOptions
{
    private const BY = 'Add up by package, plugin, folder, namespace or owner';

    /**
     * @template C of RunFolderCommand
     *
     * @param C $command
     *
     * @return C
     */
    public static function addTo(RunFolderCommand $command, bool $hasGroup = true): RunFolderCommand
    {
        $command->addValue('by', self::BY, suggested: GroupBy::names());
        if ($hasGroup) {
            $command->addValue('group', 'With --by: only this one');
        }

        return $command->addValue('owners', 'Table of owners for --by=owner [default: ' . OwnerTable::FILE . ', else '
            . OwnerTable::USUAL . ' of this folder]');
    }

    /** @return Grouping|null null where functions are not added up */
    public static function of(Arguments $given): ?Grouping
    {
        $text = $given->text('by');
        $group = $given->has('group') ? $given->text('group') : null;
        $owners = $given->text('owners');
        if ($text === null) {
            foreach (['--group' => $group, '--owners' => $owners] as $option => $value) {
                if ($value !== null) {
                    throw new UsageError("$option needs --by");
                }
            }

            return null;
        }
        $by = GroupBy::tryFrom($text) ?? throw new UsageError('--by ' . GroupBy::refusal(Text::printable($text)));
        if ($by !== GroupBy::Owner && $owners !== null) {
            throw new UsageError('--owners needs --by=owner');
        }

        return new Grouping($by, $by === GroupBy::Owner ? self::owners($owners) : null, $group);
    }

    /** The run by groups, of which the wanted one is there. */
    public static function run(Run $run, Grouping $grouping): Run
    {
        $grouped = GroupedRun::of($run, $grouping);
        if ($grouping->one !== null) {
            self::assertGroup($grouped, $grouping->one);
        }

        return $grouped;
    }

    private static function assertGroup(Run $run, string $wanted): void
    {
        $known = [];
        foreach ($run instanceof MeanRun ? $run->open : [static fn (): Run => $run] as $open) {
            $part = $open();
            $known = [...$known, ...($part instanceof GroupedRun ? $part->groups() : [])];
        }
        if (!in_array($wanted, $known, true)) {
            $meant = strlen($wanted) > 200 ? null : ClosestWord::of($wanted, array_values(array_unique($known)));
            throw new UsageError('--group: this run has no "' . Text::printable($wanted) . '"'
                . ($meant === null ? '; without --group they are listed' : '; did you mean "' . Text::printable($meant) . '"?'));
        }
    }

    private static function owners(?string $file): OwnerTable
    {
        try {
            return OwnerTable::find($file ?? (string) getenv(OwnerTable::FILE)) ?? throw new UsageError(OwnerTable::missing());
        } catch (InvalidJsonFile $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
    }
}

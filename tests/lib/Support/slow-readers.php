<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Import\InputFile;
use XHProf\Import\SkippedLines;

// Readers whose work grows with the square of the lines, each in another way.

/** Takes from the end of a list, which copies the rest. */
function splices(InputFile $file): void
{
    $list = [];
    foreach ($file->lines(100, new SkippedLines()) as $line) {
        $list[] = $line;
        array_splice($list, -1, 1, [$line]);
    }
}

/** Takes from the beginning of a list, which moves the rest. */
function shifts(InputFile $file): void
{
    $list = [];
    foreach ($file->lines(100, new SkippedLines()) as $line) {
        $list[] = $line;
        $list[] = $line;
        array_shift($list);
    }
}

/** Looks through a list. */
function searches(InputFile $file): void
{
    $list = [];
    foreach ($file->lines(100, new SkippedLines()) as $line) {
        if (!in_array($line, $list, true)) {
            $list[] = $line;
        }
    }
}

/** Goes through a list. */
function walks(InputFile $file): void
{
    $list = [];
    foreach ($file->lines(100, new SkippedLines()) as $line) {
        $list[] = $line;
        foreach ($list as $i => $_) {
            if ($i === count($list)) {
                break;
            }
        }
    }
}

/** Writes to a list that something else has too. */
function copies(InputFile $file): void
{
    $list = [];
    foreach ($file->lines(100, new SkippedLines()) as $line) {
        $before = $list;
        $list[] = $line;
    }
}

/** Makes a list of the last one. */
function spreads(InputFile $file): void
{
    $list = [];
    foreach ($file->lines(100, new SkippedLines()) as $line) {
        $list = [...$list, $line];
    }
}

/** Cuts the beginning of a text off. */
function cuts(InputFile $file): void
{
    for ($text = $file->bytes(); $text !== ''; $text = substr($text, (int) strpos($text, "\n") + 1)) {
        continue;
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Exception\InvalidProfile;
use XHProf\Import\ImportResult;
use XHProf\Import\ImportedRun;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Store\RunFolder;

/** Imports files of a test's TemporaryFolder. */
trait ImportedFiles
{
    protected function run1(string $bytes): ImportedRun
    {
        file_put_contents("$this->folder/input", $bytes);
        $runs = $this->runs();
        self::assertCount(1, $runs);
        $run = reset($runs);
        self::assertInstanceOf(ImportedRun::class, $run);

        return $run;
    }

    /** @return array<string, ImportedRun|InvalidProfile> */
    protected function runs(string $name = 'input'): array
    {
        $file = InputFile::at("$this->folder/$name");

        return iterator_to_array((static fn () => yield from Readers::for($file)->read($file))());
    }

    /** @return list<ImportResult> */
    protected function outcomes(RunFolder $store): array
    {
        $file = InputFile::at("$this->folder/input");
        $outcomes = [];
        foreach ((new Importer($store))->import($file, Readers::for($file)) as $outcome) {
            $outcomes[] = $outcome;
        }

        return $outcomes;
    }
}

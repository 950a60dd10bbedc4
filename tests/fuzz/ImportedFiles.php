<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use XHProf\Exception\XHProfException;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ImportFixtures;

require_once __DIR__ . '/../lib/Support/ImportFixtures.php';

/** Files of other tools that are nearly right: they are refused with a message, or become runs that open. */
final class ImportedFiles implements Target
{
    /** Files of other tools. */
    private const OTHERS = __DIR__ . '/../lib/imports/*';

    private readonly Pages $pages;

    /** @var list<string> */
    private readonly array $seeds;

    public function __construct(private readonly Sandbox $sandbox)
    {
        $this->pages = new Pages($sandbox);
        $importable = array_filter(Seeds::exports($sandbox->runs), static function (string $bytes): bool {
            foreach (Readers::all() as $reader) {
                if ($reader->recognizes(substr(@gzdecode($bytes) ?: $bytes, 0, InputFile::HEAD))) {
                    return true;
                }
            }

            return false;
        });
        $others = array_map(static fn (string $path): string => (string) file_get_contents($path), glob(self::OTHERS) ?: []);
        // The exports are gzipped, so that a change of a byte would show in the stream only.
        $importable = array_map(static fn (string $bytes): string => @gzdecode($bytes) ?: $bytes, $importable);
        $this->seeds = [
            ...array_values($importable),
            ...$others,
            (string) gzdecode(ImportFixtures::goPprof()),
            ImportFixtures::memprofPprof(),
            '{"profile":{"main()":{"ct":{"$numberInt":"1"},"wt":5}},"meta":{"request_ts":{"$date":"2013-01-21T17:00:12Z"}}}',
            "\xFF\xFEa\0;\0b\0 \0005\0\n\0",
            "a;b 5\na;c 7\n",
            "a;b 5 7\na;c 7 -1\n",
            "positions: instr line\nevents: Ir Dr\nfn=(1) main\n0x10 16 20 3\ncfn=(2) f\ncalls=3 +4 2\n* * * 9\nfn=(2)\n+4 -1 -3\n",
            'a:2:{s:7:"profile";a:1:{s:6:"main()";a:2:{s:2:"ct";i:1;s:2:"wt";i:9;}}s:4:"meta";a:1:{s:3:"url";s:2:"/x";}}',
            "file-format: BlackfireProbe\nCost-Dimensions: cpu\ngraph-root-id: go\n\n==>go//1 9\ngo==>f//2 5\n",
            "version: 1\nevents: Time_(10ns)\nfl=x\nfn={main}\n1 5\n",
        ];
    }

    public function attempt(Chance $chance): array
    {
        $bytes = Mutation::of($chance->one($this->seeds), $chance);
        $file = "{$this->sandbox->runs}/.given";
        file_put_contents($file, $chance->once(10) ? gzencode($bytes) : $bytes);
        $wrong = $made = [];
        try {
            $input = InputFile::at($file);
            $name = $chance->once(4) ? $chance->one(array_keys(Readers::all())) : Readers::AUTO;
            foreach ((new Importer(new RunFolder($this->sandbox->runs)))->import($input, Readers::for($input, $name)) as $outcome) {
                array_push($wrong, ...$this->sandbox->broken((string) $outcome->error));
                if ($outcome->id !== null) {
                    $made[] = $outcome->id;
                }
            }
        } catch (XHProfException $e) {
            $wrong = [...$wrong, ...$this->sandbox->broken($e->getMessage())];
        }
        unlink($file);
        foreach (array_slice($made, 0, 3) as $id) {
            array_push($wrong, ...$this->pages->wrong(['run' => $id->id, 'source' => $id->source], '<table'));
        }
        foreach ($made as $id) {
            $this->sandbox->clear($id->id);
        }

        return $wrong;
    }
}

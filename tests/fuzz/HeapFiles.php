<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use XHProf\Exception\XHProfException;
use XHProf\File\Sink;
use XHProf\Heap\Export\HeapFormats;
use XHProf\Heap\HeapIndex;
use XHProf\Tests\Html\HeapFixtures;

require_once __DIR__ . '/../html/HeapFixtures.php';

/** Heap snapshots that are nearly right: their pages show a message, and another snapshot stays in the list. */
final class HeapFiles implements Target
{
    private const SHOWN = ['', 'tree', 'classes', 'largest', 'leaks', 'paths'];

    private readonly Pages $pages;
    private readonly string $seed;

    public function __construct(private readonly Sandbox $sandbox)
    {
        $this->pages = new Pages($sandbox);
        $this->seed = HeapFixtures::worker(4, 1763680000);
        file_put_contents("$sandbox->runs/good.heap.jsonl", $this->seed);
    }

    public function attempt(Chance $chance): array
    {
        $this->sandbox->clear('bad');
        file_put_contents("{$this->sandbox->runs}/bad.heap.jsonl", Mutation::of($this->seed, $chance));
        $bad = ['view' => 'heap', 'heap' => 'bad', 'build' => '1'];
        $wrong = [...$this->pages->wrong($bad), ...$this->pages->wrong(['view' => 'heap'], 'heap=good')];
        foreach ([$chance->one(self::SHOWN), $chance->one(self::SHOWN)] as $show) {
            array_push($wrong, ...$this->pages->wrong($bad + ['show' => $show]));
        }
        if ($chance->once(3)) {
            array_push($wrong, ...$this->pages->wrong(['heap' => 'good', 'heap2' => 'bad', 'before' => 'bad'] + $bad));
        }

        return [...$wrong, ...self::exported("{$this->sandbox->runs}/bad.heap.jsonl")];
    }

    /** @return list<string> errors of its other formats, where it can be opened at all */
    private static function exported(string $file): array
    {
        $wrong = [];
        foreach (HeapFormats::all() as $name => $format) {
            $text = '';
            try {
                $out = Sink::toText($text);
                $format->write(HeapIndex::open($file), $out, static fn (string $what, int $done, int $of) => null);
                $out->end();
                if (json_decode($text, true) === null) {
                    $wrong[] = "exported as $name it is no JSON";
                }
            } catch (XHProfException) {
                // A message for the user.
            } catch (\Throwable $error) {
                $wrong[] = "exported as $name: $error";
            }
        }

        return $wrong;
    }
}

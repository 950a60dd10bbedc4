<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Exception\AmbiguousRun;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\UnknownSymbol;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Format\ClosestWord;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\Recursion;
use XHProf\Functions\SymbolReport;
use XHProf\Run\Run;
use XHProf\Source\SourceFiles;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;

/** What tools work on: the folder of runs, of which nothing outside is read, and the source files that may be shown. */
final class Desk
{
    /** For a folder without runs. */
    public const HOW_TO_RECORD = 'Record a run first: `xhprof run script.php`, or as the resource xhprof://guide explains.';

    /** Runs that are named where one is not found. */
    private const NEAR = 5;

    /** Runs whose ids are compared with a wrong one. */
    private const COMPARED = 2000;

    /** Call paths of a run whose lines of calls are looked for: it takes all of them. */
    private const LINES_OF = 200_000;

    /** Lines of an excerpt before and after the marked one. */
    private const BEFORE = 2;
    private const AFTER = 6;

    private ?RunFolder $folder = null;

    /**
     * @param string|null $directory null for the usual folder
     * @param SourceFiles|null $source null: no lines are shown
     * @param Client|null $fleet the store of many hosts
     */
    public function __construct(
        private readonly ?string $directory,
        public readonly Words $words,
        private readonly ?SourceFiles $source = null,
        public readonly ?Client $fleet = null,
    ) {
    }

    /** @throws CannotAnswer if there is no such folder yet */
    public function store(): RunFolder
    {
        $folder = $this->folder ??= new RunFolder($this->directory);

        return is_dir($folder->directory()) ? $folder
            : throw new CannotAnswer("the run folder {$folder->directory()} does not exist yet. " . self::HOW_TO_RECORD);
    }

    /** The folder, whether it is there or not. */
    public function directory(): string
    {
        return ($this->folder ??= new RunFolder($this->directory))->directory();
    }

    /** @throws CannotAnswer naming runs that there are */
    public function run(string $name): Run
    {
        try {
            // Never RunFolder::named(), which takes the paths of files.
            return $this->store()->find($name);
        } catch (RunNotFound | InvalidRunId | AmbiguousRun $e) {
            if ($this->isThere($name)) {
                throw $e;
            }
            throw new CannotAnswer($e->getMessage() . $this->near($name), [
                new Call('list_runs', [], 'the runs that there are'),
            ]);
        }
    }

    /** The name under which a run can be asked for again. */
    public static function idOf(Run $run): string
    {
        return (string) ($run->id ?? $run->name());
    }

    /**
     * The function of a run that an assistant names: as it is, or as it was shown.
     *
     * @throws CannotAnswer
     */
    public function functionOf(Run $run, string $name): string
    {
        $profile = $run->profile();
        if (SymbolReport::knows($profile, $name, true)) {
            return $name;
        }
        $all = [];
        foreach ($profile->symbols() as $symbol) {
            $base = Recursion::base((string) $symbol);
            if ($this->words->name($base) === $name || ltrim($base, '\\') === ltrim($name, '\\')) {
                return $base;
            }
            $all[$base] = $base;
        }
        $meant = ClosestWord::ofName($name, array_map(strval(...), array_values($all)));
        $next = $meant === null ? [] : [new Call('callers_callees', [
            'run' => self::idOf($run), 'function' => $this->words->name($meant),
        ], 'the function with the nearest name')];
        try {
            SymbolReport::compute($profile, $name, true);
        } catch (UnknownSymbol $e) {
            $hint = $meant === null ? '' : '; did you mean ' . $this->words->code($meant) . '?';
            throw new CannotAnswer($this->words->sentence($e->getMessage()) . $hint, [
                ...$next,
                new Call('top', ['run' => self::idOf($run)], 'the functions of this run'),
            ]);
        }

        return $name;
    }

    /** Where the functions of a run are; with the lines of calls, as far as the run is not too large for that. */
    public function places(Run $run, bool $withCalls = false): ?FunctionPlaces
    {
        $places = $withCalls && $run->has(Run::TREE) && $run->nodes() <= self::LINES_OF
            ? FunctionPlaces::ofTree($run->tree())
            : FunctionPlaces::ofRun($run);

        return $places->isEmpty() ? null : $places;
    }

    /** @return SourceExcerpt|null null where its file may not be shown, or has changed since */
    public function excerpt(?FunctionPlaces $places, string $function, int $line = 0): ?SourceExcerpt
    {
        $place = $places?->find($function);
        // The code of main() is a whole file: its first lines say nothing.
        $isWholeFile = $function === 'main()' && $line === 0;
        if ($place === null || $this->source === null || $place->extension() !== null || $isWholeFile) {
            return null;
        }
        $marked = $line > 0 ? $line : $place->line;
        $read = $marked > 0 ? $this->source->read($place->file) : null;
        if ($read === null || !isset($read['lines'][$marked - 1])) {
            return null;
        }
        $last = $place->lastLine > 0 ? $place->lastLine : $marked + self::AFTER;
        $lines = [];
        for ($at = max(1, $marked - ($line > 0 ? self::BEFORE : 0)); $at <= min($last, $marked + self::AFTER); $at++) {
            $lines[$at] = strtr($read['lines'][$at - 1] ?? '', ["\t" => '    ']);
        }

        return new SourceExcerpt($place->file, $lines, $marked);
    }

    private function isThere(string $name): bool
    {
        try {
            $this->store()->identify($name);
        } catch (RunNotFound | InvalidRunId | AmbiguousRun) {
            return false;
        }

        return true;
    }

    /** Names the runs whose ids are nearest, or the newest. */
    private function near(string $name): string
    {
        $runs = $this->store()->catalog()->find(new RunQuery(), self::COMPARED)->runs;
        $ids = array_map(static fn (RunEntry $run): string => (string) $run->id, $runs);
        if ($ids === []) {
            return '. There are no runs yet. ' . self::HOW_TO_RECORD;
        }
        $alike = array_values(array_filter($ids, static fn (string $id): bool
            => strlen($name) >= 4 && strncmp($id, $name, 4) === 0));
        $closest = ClosestWord::of($name, array_map(static fn (RunEntry $run): string => $run->id->id, $runs));
        $shown = array_slice($closest !== null ? [$closest, ...$alike] : ($alike === [] ? $ids : $alike), 0, self::NEAR);

        return ($alike === [] && $closest === null ? '. The newest: ' : '. The nearest: ') . implode(', ', array_unique($shown));
    }
}

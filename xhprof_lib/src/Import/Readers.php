<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;

/**
 * The formats that can be imported.
 */
final class Readers
{
    public const AUTO = 'auto';

    /**
     * @param key-of<array{samples: 1, ns: 1, us: 1, ms: 1, bytes: 1}> $unit unit of the numbers of folded stacks
     *
     * @return non-empty-array<string, Reader> by name, in the order in which a file is checked for them
     */
    public static function all(string $unit = 'samples'): array
    {
        return [
            'xhprof' => new Classic(),
            'json' => new JsonRun(),
            'speedscope' => new Speedscope(),
            'spx' => new Spx(),
            'memprof' => new MemprofArray(),
            'memprof-pprof' => new MemprofPprof(),
            'xdebug-trace' => new XdebugTrace(),
            'blackfire' => new Blackfire(),
            'pprof' => new Pprof(),
            'xhgui' => new Xhgui(),
            'callgrind' => new Callgrind(),
            'folded' => new Folded($unit),
        ];
    }

    /**
     * @param string $name "auto": by the content
     * @param key-of<array{samples: 1, ns: 1, us: 1, ms: 1, bytes: 1}> $unit
     *
     * @throws InvalidProfile|StoreError
     */
    public static function for(InputFile $file, string $name = self::AUTO, string $unit = 'samples'): Reader
    {
        $all = self::all($unit);
        if ($name !== self::AUTO) {
            return $all[$name] ?? throw new InvalidProfile("there is no format \"$name\"; take " . implode(', ', array_keys($all)));
        }
        $head = $file->head();
        if (trim($head) === '') {
            throw new InvalidProfile('the file is empty');
        }
        $refusal = Kinds::refusal($head);
        if ($refusal !== null) {
            throw new InvalidProfile($refusal);
        }
        foreach ($all as $reader) {
            if ($reader->recognizes($head)) {
                return $reader;
            }
        }
        throw new InvalidProfile('the content is not in a known format: ' . implode(', ', array_keys($all)));
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Exception\ExportTooLarge;
use XHProf\File\Sink;
use XHProf\Format\Units;

/** A file that is not larger than asked for: of a large run it has less, and says so. */
final class SizedFile
{
    /** Bytes of a file unless more are asked for: what a ticket or a mail takes. */
    public const USUAL = 2_000_000;

    /** Most call paths, whatever the size: a browser draws no more of them. */
    private const MOST_NODES = 200_000;

    /** Bytes of a call path in the file, about: the first attempt has as many of them as may fit. */
    private const BYTES_PER_NODE = 10;

    /** Part of the file that calls between functions may take. */
    private const OF_CALLS = 0.25;

    /** Number of call paths below which it is better to leave other parts out. */
    private const FEW = 1000;

    /** Part of the room that is filled, so that the next attempt fits. */
    private const FILLED = 0.85;
    private const ATTEMPTS = 12;

    private function __construct(public readonly string $html, public readonly Document $document)
    {
    }

    /**
     * @param int        $most  bytes
     * @param float|null $least share of the run's time below which call paths are left out
     *
     * @throws ExportTooLarge if it does not fit with the least of everything
     */
    public static function ofViews(SharedViews $views, HtmlFile $writer, int $most = self::USUAL, ?float $least = null): self
    {
        $detail = new Detail(min(self::MOST_NODES, max(self::FEW, intdiv($most, self::BYTES_PER_NODE))), $least);
        for ($attempt = 0; $attempt < self::ATTEMPTS; $attempt++) {
            $document = $views->document($detail);
            $file = self::of($document, $writer);
            $size = strlen($file->html);
            if ($size <= $most) {
                return $file;
            }
            $next = self::smaller($detail, $document, $views, $size, $most);
            if ($next === null) {
                break;
            }
            $detail = $next;
        }
        throw new ExportTooLarge('this file would have at least ' . Units::bytes($size) . ', more than ' . Units::bytes($most));
    }

    public static function of(Document $document, HtmlFile $writer): self
    {
        $html = '';
        $out = Sink::toText($html);
        $writer->write($document, $out);
        $out->end();

        return new self($html, $document);
    }

    private static function smaller(Detail $detail, Document $document, SharedViews $views, int $size, int $most): ?Detail
    {
        $drawn = $calls = 0;
        foreach ($document->answers as $answer) {
            // As base64 of what is compressed.
            $bytes = (int) (4 / 3 * strlen((string) gzencode($answer->body, 6)));
            $drawn += $answer->isJson ? 0 : $bytes;
            $calls += str_contains($answer->address, 'get=calls') ? $bytes : 0;
        }
        $nodes = min($detail->nodes, $views->nodes());
        $room = $most - ($size - $drawn);

        return match (true) {
            $detail->calls && $calls > self::OF_CALLS * $most => $detail->with(['calls' => false]),
            // Of merged call paths there are no times anyway.
            $detail->times && $drawn > 0 && $views->nodes() <= $detail->nodes => $detail->with(['times' => false]),
            $nodes > self::FEW && $drawn > 0 => $detail->with(['nodes' => max(
                self::FEW,
                (int) min($nodes / 2, $nodes * self::FILLED * max(0, $room) / $drawn),
            )]),
            $detail->calls => $detail->with(['calls' => false]),
            $detail->functions => $detail->with(['functions' => false]),
            default => null,
        };
    }
}

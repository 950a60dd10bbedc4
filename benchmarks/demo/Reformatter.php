<?php

declare(strict_types=1);

namespace XHProf\Demo;

use PhpParser\Error;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\Parser;
use PhpParser\ParserFactory;
use PhpParser\PrettyPrinter\Standard;

/** Parses files, qualifies their names, prints them as code, and parses that again to see that it is code. */
final class Reformatter
{
    private readonly Parser $parser;
    private readonly Standard $printer;

    private int $files = 0;
    private int $bytesRead = 0;
    private int $bytesPrinted = 0;
    private string $checksum = '';

    /** @var list<string> files that did not survive, with the reason */
    private array $failures = [];

    public function __construct()
    {
        $this->parser = (new ParserFactory())->createForNewestSupportedVersion();
        $this->printer = new Standard();
    }

    /** @return list<string> PHP files below the folder, in the order of their names */
    public static function files(string $folder): array
    {
        $files = [];
        $below = new \RecursiveDirectoryIterator($folder, \FilesystemIterator::SKIP_DOTS);
        foreach (new \RecursiveIteratorIterator($below) as $file) {
            if ($file instanceof \SplFileInfo && $file->isFile() && $file->getExtension() === 'php') {
                $files[] = $file->getPathname();
            }
        }
        sort($files, SORT_STRING);

        return $files;
    }

    public function add(string $file): void
    {
        $code = (string) file_get_contents($file);
        $this->files++;
        $this->bytesRead += strlen($code);
        try {
            $program = $this->parser->parse($code) ?? [];
            $program = (new NodeTraverser(new NameResolver()))->traverse($program);
            $printed = $this->printer->prettyPrintFile($program);
            if (count($this->parser->parse($printed) ?? []) !== count($program)) {
                $this->failures[] = "$file: printed as another program";
            }
        } catch (Error $error) {
            $this->failures[] = "$file: " . $error->getMessage();

            return;
        }
        $this->bytesPrinted += strlen($printed);
        $this->checksum = hash('xxh128', $this->checksum . $printed);
    }

    /** @return list<string> */
    public function failures(): array
    {
        return $this->failures;
    }

    public function summary(): string
    {
        return sprintf(
            '%d files, %d bytes parsed, %d bytes printed (checksum %s), %d failed%s',
            $this->files,
            $this->bytesRead,
            $this->bytesPrinted,
            substr($this->checksum, 0, 8),
            count($this->failures),
            $this->failures === [] ? '' : ': ' . $this->failures[0],
        );
    }
}

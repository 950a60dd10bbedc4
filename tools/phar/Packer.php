<?php

declare(strict_types=1);

namespace XHProf\Tools\Phar;

/** Packs a folder into a phar whose bytes depend on nothing but the files and a time. */
final class Packer
{
    /** Only what is run, and the licences: no notes of other projects, nothing that Composer writes for itself. */
    private const LEFT_OUT = '~\A(?:composer\.json|INSTRUCTIONS\.md|(?:share|skills|resources)/.*'
        . '|bin/xhprof-inspect|xhprof_(?:lib|html)/README\.md'
        . '|vendor/(?:bin/.*|.*/(?:README|CHANGELOG)(?:\.(?:md|rst))?|.*/composer\.json|.*/phpstan\.neon(?:\.dist)?|\.key'
        . '|composer/(?:installed\.(?:json|php)|InstalledVersions\.php)'
        . '|symfony/(?:console/(?:Tester|Test)|service-contracts/Test)/.*|twig/twig/src/Test/.*))\z~';
    /** Its text is a part of the names of the compiled templates: see XHProf\Web\CompiledTemplates. */
    private const KEPT_WHOLE = 'xhprof_lib/src/Web/Templates.php';
    /** Programs: the phar's stub runs them, and what is included shows its first line otherwise. */
    private const FIRST_LINE = '/\A#![^\n]*\n/';

    private const FILE_MODE = 0644;
    private const FOLDER_MODE = 0755;

    /** Phar's numbers: 32 bits, the least byte first. */
    private const HALT = "__HALT_COMPILER(); ?>\r\n";
    private const SIGNATURE_BYTES = 64;
    private const SIGNATURE_END = "\x04\0\0\0GBMB";

    /**
     * @param string $folder that is packed
     * @param int    $time   of all files, in seconds since 1970
     */
    public function __construct(private readonly string $folder, private readonly int $time)
    {
    }

    /** @throws \RuntimeException where it cannot be written */
    public function pack(string $file): void
    {
        $new = "$file.new.phar";
        !is_file($new) || unlink($new);
        $phar = new \Phar($new, 0);
        $phar->startBuffering();
        $phar->setSignatureAlgorithm(\Phar::SHA512);
        // Pages read its templates only where nobody else may write to them: a folder that is not in the list has no mode.
        $phar->addEmptyDir('xhprof_lib/compiled');
        // Beside it, addFromString() writes all that it has anew for each file.
        $phar->buildFromIterator($this->contents());
        $phar->setStub((string) preg_replace('/^__HALT_COMPILER\(\);\n\z/m', self::HALT, self::text(__DIR__ . '/stub.php')));
        $phar->stopBuffering();
        unset($phar);
        $bytes = $this->timed(self::text($new));
        file_put_contents($new, $bytes) === strlen($bytes) || throw new \RuntimeException("cannot write $new");
        chmod($new, 0755);
        rename($new, $file) || throw new \RuntimeException("cannot rename $new");
    }

    /** @return list<string> paths below the folder, in the order of their bytes */
    private function files(): array
    {
        $found = [];
        $all = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($this->folder, \FilesystemIterator::SKIP_DOTS));
        foreach ($all as $path => $entry) {
            $name = substr((string) $path, strlen($this->folder) + 1);
            if ($entry instanceof \SplFileInfo && $entry->isFile() && preg_match(self::LEFT_OUT, $name) !== 1) {
                $found[] = $name;
            }
        }
        sort($found, SORT_STRING);
        return $found;
    }

    /** @return \Generator<string, resource> by name */
    private function contents(): \Generator
    {
        foreach ($this->files() as $name) {
            $stream = fopen('php://memory', 'w+b');
            $stream !== false || throw new \RuntimeException('no memory');
            fwrite($stream, $this->content($name));
            rewind($stream);
            yield $name => $stream;
        }
    }

    private function content(string $name): string
    {
        $text = self::text("$this->folder/$name");
        if ($name === 'bin/xhprof') {
            $text = (string) preg_replace(self::FIRST_LINE, '', $text);
        }
        $isCode = $name === 'bin/xhprof' || str_ends_with($name, '.php') && $name !== self::KEPT_WHOLE;
        return $isCode ? self::withoutComments($text) : $text;
    }

    /** Each line keeps its number, which messages name: what is left out are comments and indents, a third of all bytes. */
    public static function withoutComments(string $code): string
    {
        $kept = '';
        foreach (\PhpToken::tokenize($code) as $token) {
            $kept .= match ($token->id) {
                T_COMMENT, T_DOC_COMMENT => str_repeat("\n", substr_count($token->text, "\n")) ?: ' ',
                T_WHITESPACE => str_repeat("\n", substr_count($token->text, "\n")) ?: ' ',
                default => $token->text,
            };
        }
        return $kept;
    }

    /** The phar's bytes with this time and these modes for each file, and signed anew. Phar itself notes when it has packed them. */
    private function timed(string $bytes): string
    {
        $at = strpos($bytes, self::HALT);
        $ends = strlen($bytes) - self::SIGNATURE_BYTES - strlen(self::SIGNATURE_END);
        $at !== false && substr($bytes, $ends + self::SIGNATURE_BYTES) === self::SIGNATURE_END
            || throw new \RuntimeException('Phar has written another format than the one that is known here');
        $number = static fn(int $at): int => unpack('V', $bytes, $at)[1] ?? 0;
        $at += strlen(self::HALT) + 4;
        $files = $number($at);
        // The number of files, the version of the format, flags; then the alias and the metadata, each after its length.
        $at += 4 + 2 + 4;
        $at += 4 + $number($at);
        $at += 4 + $number($at);
        for ($i = 0; $i < $files; $i++) {
            $length = $number($at);
            $mode = $bytes[$at + 4 + $length - 1] === '/' ? self::FOLDER_MODE : self::FILE_MODE;
            $at += 4 + $length;
            // The size, the time, the packed size, the checksum, flags; then the file's metadata.
            foreach (str_split(pack('V', $this->time) . substr($bytes, $at + 8, 8) . pack('V', $mode)) as $byte => $value) {
                $bytes[$at + 4 + $byte] = $value;
            }
            $at += 20;
            $at += 4 + $number($at);
        }
        $signed = substr($bytes, 0, $ends);
        return $signed . hash('sha512', $signed, true) . self::SIGNATURE_END;
    }

    private static function text(string $file): string
    {
        $text = file_get_contents($file);
        return $text === false ? throw new \RuntimeException("cannot read $file") : $text;
    }
}

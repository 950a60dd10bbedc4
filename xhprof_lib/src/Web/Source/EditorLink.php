<?php

declare(strict_types=1);

namespace XHProf\Web\Source;

use XHProf\Profile\CodePlace;
use XHProf\Source\PathMap;
use XHProf\Source\SourceFiles;
use XHProf\Web\Http\Request;

/**
 * Links into the operator's editor: XHPROF_EDITOR is the name of one, or a URL with %f and %l, as Symfony's `ide` and
 * Xdebug's file_link_format. XHPROF_EDITOR_MAP says where files are on the machine of the editor: "/app>/home/me/shop".
 * Runs are untrusted: only the operator's URL decides which program opens, and a path is encoded.
 */
final class EditorLink
{
    public const EDITOR = 'XHPROF_EDITOR';
    public const MAP = 'XHPROF_EDITOR_MAP';

    private const EDITORS = [
        'atom' => 'atom://core/open/file?filename=%f&line=%l',
        'emacs' => 'emacs://open?url=file://%f&line=%l',
        'macvim' => 'mvim://open?url=file://%f&line=%l',
        'phpstorm' => 'phpstorm://open?file=%f&line=%l',
        'sublime' => 'subl://open?url=file://%f&line=%l',
        'textmate' => 'txmt://open?url=file://%f&line=%l',
        'vscode' => 'vscode://file/%f:%l',
        'vscodium' => 'vscodium://file/%f:%l',
        'zed' => 'zed://file/%f:%l',
    ];

    /** Schemes that run in the page instead of opening a program. */
    private const SCRIPTS = ['javascript', 'data', 'vbscript', 'blob'];

    private readonly string $format;

    /**
     * @param string $editor '' for no links; also one that is no URL gives none
     */
    public function __construct(string $editor, private readonly PathMap $map)
    {
        // Symfony's "phpstorm&/app>/home/me" has the map in it.
        $editor = trim(explode('&/', $editor, 2)[0]);
        $format = self::EDITORS[strtolower($editor)] ?? $editor;
        $isUrl = preg_match('/\A([a-z][a-z0-9+.-]*):[^\x00-\x20"<>\x7F]*\z/i', $format, $match) === 1;
        $this->format = $isUrl && !in_array(strtolower($match[1]), self::SCRIPTS, true) && str_contains($format, '%f')
            ? $format
            : '';
    }

    public static function fromRequest(Request $request): self
    {
        $editor = $request->setting(self::EDITOR);
        $inEditor = preg_match('~&(/.*)\z~s', $editor, $match) === 1 ? $match[1] : '';

        return new self($editor, PathMap::parse($request->setting(self::MAP) . '&' . $inEditor));
    }

    /** @return string|null null where no editor is set, or for what is no file */
    public function url(CodePlace $place): ?string
    {
        $format = $this->fileUrl($place->file);

        return $format === null || $place->extension() !== null ? null : self::atLine($format, $place->line);
    }

    /**
     * The URL of a file, with %l for the line: scripts fill it in as atLine() does.
     */
    public function fileUrl(string $file): ?string
    {
        if ($this->format === '' || !SourceFiles::isPath($file)) {
            return null;
        }
        $path = implode('/', array_map(rawurlencode(...), explode('/', $this->map->apply($file))));

        return strtr($this->format, ['%f' => str_replace('%3A', ':', $path), '%%' => '%']);
    }

    private static function atLine(string $format, int $line): string
    {
        return str_replace('%l', (string) max(1, $line), $format);
    }
}

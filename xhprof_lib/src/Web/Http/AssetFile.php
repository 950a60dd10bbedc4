<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/**
 * A file of the pages' folder assets/, by its part of the address: which files there are, and with which headers they are sent. It
 * refuses everything else, whether in the folder or not.
 */
final class AssetFile
{
    private const TYPES = [
        'css' => 'text/css; charset=utf-8',
        'js' => 'text/javascript; charset=utf-8',
        'mjs' => 'text/javascript; charset=utf-8',
        'json' => 'application/json',
        'svg' => 'image/svg+xml',
        'png' => 'image/png',
        'wasm' => 'application/wasm',
        'txt' => 'text/plain; charset=utf-8',
    ];

    /** @param string $root the folder that holds assets/ */
    public function __construct(private readonly string $root)
    {
    }

    /** @param string $path decoded, below the pages: "assets/app.css" */
    public function respond(string $path, Request $request): Response
    {
        // No part of the path begins with a dot: neither dotfiles nor "..".
        $isAsset = preg_match('~\Aassets(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\.([a-z]+)\z~', $path, $match) === 1;
        $file = "$this->root/$path";
        if (!$isAsset || !isset(self::TYPES[$match[1]]) || !is_file($file)) {
            return self::missing();
        }
        if (!in_array($request->method, ['GET', 'HEAD'], true)) {
            return Response::error(405, 'This page only answers to GET.')->withHeaders(['Allow' => 'GET, HEAD']);
        }
        $bytes = (int) filesize($file);
        $tag = sprintf('"%x-%x"', (int) filemtime($file), $bytes);
        $response = $request->server('HTTP_IF_NONE_MATCH') === $tag
            ? Response::sameAsset()
            : Response::asset($file, self::TYPES[$match[1]], $bytes);

        return $response->withHeaders(['ETag' => $tag]);
    }

    public static function missing(): Response
    {
        return Response::error(404, 'There is no such page.')
            ->withHeaders(['Content-Security-Policy' => "default-src 'none'; frame-ancestors 'none'"]);
    }
}

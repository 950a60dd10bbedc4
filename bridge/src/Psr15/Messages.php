<?php

declare(strict_types=1);

namespace XHProf\Bridge\Psr15;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\UploadedFileInterface;
use XHProf\Web\Http\Response;

/**
 * One request of PSR-7 as PHP's own variables have it, and the answer of the pages as PSR-7. Uploaded files become temporary
 * files, which are gone when this object is.
 */
final class Messages
{
    /** Bytes of an answer that stay in memory; the rest of a larger one is in a temporary file. */
    private const IN_MEMORY = 2 << 20;

    private const FORM = '~\Aapplication/x-www-form-urlencoded\b~i';

    /** @var list<string> paths */
    private array $files = [];

    public function __construct(
        private readonly ResponseFactoryInterface $responses,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    public function __destruct()
    {
        foreach ($this->files as $file) {
            @unlink($file);
        }
    }

    public function request(ServerRequestInterface $request): Asked
    {
        $query = $request->getQueryParams();
        if ($query === [] && $request->getUri()->getQuery() !== '') {
            parse_str($request->getUri()->getQuery(), $query);
        }
        $form = $request->getParsedBody();
        if ($form === null && preg_match(self::FORM, $request->getHeaderLine('Content-Type')) === 1) {
            // Nothing has parsed it: that is a middleware of its own in some frameworks.
            parse_str((string) $request->getBody(), $form);
        }

        return new Asked(
            strtoupper($request->getMethod()),
            $query,
            is_array($form) ? $form : [],
            self::server($request),
            $this->uploads($request->getUploadedFiles()),
        );
    }

    /** @param bool $withBody false for a HEAD request */
    public function response(Response $response, bool $withBody): ResponseInterface
    {
        $answer = $this->responses->createResponse($response->status);
        foreach ($response->allHeaders() as $name => $value) {
            $answer = $answer->withHeader($name, $value);
        }
        foreach ($response->cookies as $cookie) {
            $answer = $answer->withAddedHeader('Set-Cookie', $cookie);
        }
        if (!$withBody || $response->status === 304) {
            return $answer;
        }
        $body = fopen('php://temp/maxmemory:' . self::IN_MEMORY, 'w+');
        if ($body === false) {
            return $answer->withBody($this->streams->createStream($response->content()))->withoutHeader('Content-Encoding');
        }
        $response->passBody(static function (string $piece) use ($body): void {
            fwrite($body, $piece);
        });
        rewind($body);

        return $answer->withBody($this->streams->createStreamFromResource($body));
    }

    /** @return array<string, mixed> as $_SERVER: a worker's own has nothing of the request, and only its headers are sure */
    private static function server(ServerRequestInterface $request): array
    {
        $server = [];
        foreach ($request->getServerParams() as $name => $value) {
            // What a worker was started with is no header of this request.
            if (is_string($name) && !str_starts_with($name, 'HTTP_')) {
                $server[$name] = $value;
            }
        }
        foreach ($request->getHeaders() as $name => $values) {
            $key = strtoupper(strtr((string) $name, '-', '_'));
            $key = in_array($key, ['CONTENT_TYPE', 'CONTENT_LENGTH'], true) ? $key : "HTTP_$key";
            $server[$key] = implode(', ', $values);
        }
        $uri = $request->getUri();
        $server['REQUEST_METHOD'] = $request->getMethod();
        $server['REQUEST_URI'] = $request->getRequestTarget();
        if ($uri->getScheme() === 'https') {
            $server['HTTPS'] = 'on';
        }

        return $server;
    }

    /**
     * @param array<array-key, mixed> $uploads as PSR-7 has them: files, or lists of them
     * @return array<array-key, mixed> as $_FILES
     */
    private function uploads(array $uploads): array
    {
        $files = [];
        foreach ($uploads as $field => $upload) {
            // Several files in one field are refused by who asks for one.
            $files[$field] = $upload instanceof UploadedFileInterface ? $this->upload($upload) : ['name' => [], 'tmp_name' => []];
        }

        return $files;
    }

    /** @return array{name: string, tmp_name: string, size: int, error: int} */
    private function upload(UploadedFileInterface $upload): array
    {
        $file = [
            'name' => basename((string) $upload->getClientFilename()),
            'tmp_name' => '',
            'size' => (int) $upload->getSize(),
            'error' => $upload->getError(),
        ];
        if ($file['error'] !== UPLOAD_ERR_OK) {
            return $file;
        }
        $path = @tempnam(sys_get_temp_dir(), 'xhprof-upload-');
        if ($path === false) {
            return ['error' => UPLOAD_ERR_NO_TMP_DIR] + $file;
        }
        $this->files[] = $path;
        $file['tmp_name'] = $path;
        try {
            $stream = $upload->getStream();
            $target = fopen($path, 'w');
            if ($target === false) {
                return ['error' => UPLOAD_ERR_CANT_WRITE] + $file;
            }
            if ($stream->isSeekable()) {
                $stream->rewind();
            }
            while (!$stream->eof()) {
                $piece = $stream->read(1 << 18);
                if (fwrite($target, $piece) !== strlen($piece)) {
                    return ['error' => UPLOAD_ERR_CANT_WRITE] + $file;
                }
            }
            fclose($target);
        } catch (\RuntimeException) {
            return ['error' => UPLOAD_ERR_PARTIAL] + $file;
        }

        return $file;
    }
}

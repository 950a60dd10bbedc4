<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use DOMDocument;
use DOMElement;
use DOMXPath;
use RuntimeException;

/** An answer of the server, with queries of its HTML. */
final class Page
{
    public readonly int $status;

    /** @var array<string, string> lower case name => value */
    public readonly array $headers;

    private ?DOMXPath $xpath = null;

    /** @param list<string> $lines status line and headers */
    public function __construct(array $lines, public readonly string $body)
    {
        $this->status = (int) (explode(' ', $lines[0])[1] ?? 0);
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        $this->headers = $headers;
    }

    /**
     * The answer of a server, whatever its status.
     *
     * @param array<string, mixed> $http options of PHP's HTTP streams
     * @throws RuntimeException without an answer
     */
    public static function ask(string $url, array $http = []): self
    {
        $http += ['ignore_errors' => true, 'follow_location' => 0, 'timeout' => 300.0];
        $stream = fopen($url, 'r', false, stream_context_create(['http' => $http]));
        if ($stream === false) {
            throw new RuntimeException("No answer from $url");
        }
        /** @var list<string> $lines */
        $lines = stream_get_meta_data($stream)['wrapper_data'] ?? [];

        return new self($lines, (string) stream_get_contents($stream));
    }

    /** @return list<DOMElement> */
    public function find(string $xpath, ?DOMElement $within = null): array
    {
        $found = [];
        foreach ($this->xpath()->query($xpath, $within) ?: [] as $node) {
            if ($node instanceof DOMElement) {
                $found[] = $node;
            }
        }

        return $found;
    }

    /** @return list<string> texts with white space collapsed */
    public function texts(string $xpath, ?DOMElement $within = null): array
    {
        return array_map(
            static fn (DOMElement $node): string => trim((string) preg_replace('/\s+/u', ' ', $node->textContent)),
            $this->find($xpath, $within),
        );
    }

    /** @return list<string> values of an attribute */
    public function attributes(string $xpath, string $attribute): array
    {
        return array_map(static fn (DOMElement $node): string => $node->getAttribute($attribute), $this->find($xpath));
    }

    /** @return list<string> names of the modules that the page loads, in order; '' for another script */
    public function modules(): array
    {
        $address = '~^assets/js/(?:\w+/)?([\w-]+)\.js(?:\?[\w.=]*)?$~';
        $names = [];
        foreach ($this->find('//script') as $script) {
            $isModule = trim($script->textContent) === '' && preg_match($address, $script->getAttribute('src'), $found) === 1;
            $names[] = $isModule ? $found[1] : '';
        }

        return $names;
    }

    /** The text of the first match, '' without one. */
    public function text(string $xpath): string
    {
        return $this->texts($xpath)[0] ?? '';
    }

    /**
     * The figures of a function table, read from the exact values of its cells; those per call, which follow from others, are
     * left out.
     *
     * @param string $table XPath of the table
     * @return array<string, list<int|float|null>> displayed name => exact figures from left to right
     */
    public function figures(string $table): array
    {
        $rows = [];
        foreach ($this->find("$table/tbody/tr") as $row) {
            $figures = [];
            foreach ($this->find('td[contains(@class, "num")][not(contains(@class, " per"))]', $row) as $cell) {
                $exact = preg_replace('/[^0-9.,-]/u', '', $cell->getAttribute('title')) ?? '';
                $number = explode(',', $exact)[0];
                $figures[] = $exact === '' ? null : (str_contains($number, '.') ? (float) $number : (int) $number);
            }
            $rows[$this->texts('th//*[@class="fn"]', $row)[0] ?? ''] = $figures;
        }

        return $rows;
    }

    private function xpath(): DOMXPath
    {
        if ($this->xpath === null) {
            $document = new DOMDocument();
            $before = libxml_use_internal_errors(true);
            $document->loadHTML($this->body);
            libxml_clear_errors();
            libxml_use_internal_errors($before);
            $this->xpath = new DOMXPath($document);
        }

        return $this->xpath;
    }
}

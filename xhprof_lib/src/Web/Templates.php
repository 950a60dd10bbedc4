<?php

declare(strict_types=1);

namespace XHProf\Web;

use Twig\Environment;
use Twig\Loader\FilesystemLoader;
use Twig\TwigFilter;
use Twig\TwigFunction;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;

/**
 * Renders the templates. Everything a template prints is escaped for HTML unless a template says
 * otherwise, and none does.
 */
final class Templates
{
    /** Bytes of a function's name shown in a table; the function's own page shows all of it. */
    public const NAME_LIMIT = 240;

    /** Rows of a table that a page has initially. */
    public const TOP = 100;

    private readonly Environment $twig;
    private readonly CompiledTemplates $compiled;

    /**
     * @param string $root folder that holds templates/ and assets/
     * @param bool $isFile whether they are parts of one file that needs no server
     */
    public function __construct(private readonly string $root, public readonly bool $isFile = false)
    {
        $this->compiled = new CompiledTemplates($root);
        // Relative to this root, so that what was compiled elsewhere is found.
        $this->twig = new Environment(new FilesystemLoader('templates', $root), [
            'autoescape' => 'html',
            'strict_variables' => true,
            'cache' => $this->compiled,
            'charset' => 'UTF-8',
        ]);
        $this->twig->addFilter(new TwigFilter('pieces', VisibleName::breakable(...)));
        $this->twig->addFilter(new TwigFilter('visible', VisibleName::text(...)));
        $this->twig->addFilter(new TwigFilter('count', Units::count(...)));
        $this->twig->addFunction(new TwigFunction('asset', $this->asset(...)));
        $this->twig->addGlobal('name_limit', self::NAME_LIMIT);
        $this->twig->addGlobal('index', Url::page('index'));
        $this->twig->addGlobal('csrf', null);
        $this->twig->addGlobal('snapshots', null);
        $this->twig->addGlobal('fleet', false);
        $this->twig->addGlobal('theme', '');
        $this->twig->addGlobal('ask_at', '');
        $this->twig->addGlobal('in_file', $isFile);
    }

    /**
     * Gives a variable to every template.
     *
     * @param 'csrf'|'snapshots' $name
     */
    public function define(string $name, object $value): void
    {
        $this->twig->addGlobal($name, $value);
    }

    /** @param bool $isNamed whether there is a store of many hosts: then pages link to it */
    public function fleet(bool $isNamed): void
    {
        $this->twig->addGlobal('fleet', $isNamed);
    }

    /** @param string $url where to ask for a profile of the next request; '' where nothing offers it */
    public function askAt(string $url): void
    {
        $this->twig->addGlobal('ask_at', $url);
    }

    /** @param string $wanted "light" or "dark"; anything else is as the system has it */
    public function theme(string $wanted): void
    {
        $this->twig->addGlobal('theme', in_array($wanted, ['light', 'dark'], true) ? $wanted : '');
    }

    /** @param array<string, mixed> $variables */
    public function page(string $template, array $variables, int $status = 200): Response
    {
        return Response::html($this->render($template, $variables), $status);
    }

    /** @param array<string, mixed> $variables */
    public function render(string $template, array $variables): string
    {
        return $this->twig->render($template, $variables);
    }

    /** Compiles all templates: see CompiledTemplates. */
    public function compile(): void
    {
        $this->compiled->compile($this->twig);
    }

    /** Whether a generated file exists that is not part of the sources: see tools/assets.mjs. */
    public function hasAsset(string $name): bool
    {
        return is_file("$this->root/assets/$name");
    }

    /** Relative URL of a file under assets/; it changes when the file does. */
    private function asset(string $name): string
    {
        $stamp = @filemtime("$this->root/assets/$name");

        return "assets/$name?v=" . dechex((int) $stamp);
    }
}

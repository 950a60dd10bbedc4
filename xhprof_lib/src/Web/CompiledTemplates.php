<?php

declare(strict_types=1);

namespace XHProf\Web;

use Twig\Cache\CacheInterface;
use Twig\Environment;
use Twig\Source;

/**
 * Templates as PHP classes, which tools/templates.php has written to xhprof_lib/compiled: without it Twig compiles those of a page
 * in each request, which is most of its CPU time. Pages only read that folder, and only where it has the owner of the templates and
 * nobody else may write to it. A file's name has the checksum of what it was made of, so that a changed template is compiled anew.
 */
final class CompiledTemplates implements CacheInterface
{
    private readonly string $templates;
    private readonly string $folder;
    /** What its templates may call; null where the folder is not to be read. */
    private readonly ?string $view;

    /** @param string $root folder that holds templates/, beside xhprof_lib */
    public function __construct(string $root)
    {
        $this->templates = "$root/templates";
        $this->folder = dirname($root) . '/xhprof_lib/compiled';
        $status = @lstat($this->folder);
        $isFolder = $status !== false && ($status['mode'] & 0170022) === 0040000;
        $isTrusted = $isFolder && $status['uid'] === @fileowner($this->templates);
        $this->view = $isTrusted ? (string) file_get_contents(__DIR__ . '/Templates.php') : null;
    }

    public function generateKey(string $name, string $className): string
    {
        $source = $this->view === null ? false : @file_get_contents("$this->templates/$name");

        return $source === false ? '' : "$this->folder/" . self::file($source . $this->view, $className);
    }

    public function load(string $key): void
    {
        if ($key !== '' && is_file($key)) {
            include_once $key;
        }
    }

    /** Writes nothing: what a request may write to is nothing that another one should run. */
    public function write(string $key, string $content): void
    {
    }

    public function getTimestamp(string $key): int
    {
        return $key !== '' && is_file($key) ? PHP_INT_MAX : 0;
    }

    /**
     * Compiles all templates into a new folder, instead of the one that there is.
     *
     * @throws \RuntimeException where it cannot write there
     */
    public function compile(Environment $twig): void
    {
        $new = "$this->folder.new";
        self::remove($new);
        mkdir($new, 0o755, true) && chmod($new, 0o755) || throw new \RuntimeException("cannot make $new");
        $view = (string) file_get_contents(__DIR__ . '/Templates.php');
        foreach (glob("$this->templates/*.twig") ?: [] as $path) {
            $source = $twig->getLoader()->getSourceContext(basename($path));
            $file = "$new/" . self::file($source->getCode() . $view, $twig->getTemplateClass(basename($path)));
            // Nothing, where a web server runs it as a page.
            $guard = "<?php\nif (!class_exists(\\Twig\\Environment::class, false)) {\n    return;\n}\n?>";
            // Without its path, which is that of the machine that compiles it.
            $code = $guard . $twig->compileSource(new Source($source->getCode(), $source->getName()));
            file_put_contents($file, $code) !== false || throw new \RuntimeException("cannot write $file");
        }
        self::remove($this->folder);
        rename($new, $this->folder) || throw new \RuntimeException("cannot rename $new");
    }

    private static function file(string $madeOf, string $className): string
    {
        return hash('xxh128', $madeOf) . "-$className.php";
    }

    private static function remove(string $folder): void
    {
        array_map(unlink(...), glob("$folder/*") ?: []);
        !is_dir($folder) || rmdir($folder);
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidJsonFile;
use XHProf\Owners\FileGroups;
use XHProf\Owners\FilePath;
use XHProf\Owners\FunctionGroups;
use XHProf\Owners\GroupBy;
use XHProf\Owners\OwnerTable;
use XHProf\Profile\CodePlace;
use XHProf\Profile\CodePlaces;

/** To which package, plug-in, folder, namespace and owner a function belongs: by its file, else by its name. */
final class GroupsByFileTest extends TestCase
{
    /** Files that a program also runs: they show where it is. */
    private const WORDPRESS = ['/var/www/html/wp-includes/plugin.php', '/var/www/html/wp-settings.php'];
    private const DRUPAL = ['/opt/drupal/web/core/lib/Drupal/Core/DrupalKernel.php', '/opt/drupal/vendor/autoload.php'];
    private const SYMFONY = ['/srv/app/vendor/composer/ClassLoader.php', '/srv/app/src/Kernel.php'];

    /** @return iterable<string, array{string, list<string>, string, string, string}> file, others, package, plug-in, folder */
    public static function files(): iterable
    {
        $wp = '/var/www/html/wp-content';
        $app = FileGroups::APPLICATION;
        yield 'plug-in' => ["$wp/plugins/shop/inc/cart.php", self::WORDPRESS, 'shop', 'shop', 'wp-content/plugins/shop'];
        yield 'plug-in of one file' => ["$wp/plugins/hello.php", self::WORDPRESS, 'hello', 'hello', 'wp-content/plugins'];
        yield 'package of a plug-in' => [
            "$wp/plugins/shop/vendor/Guzzle/http/src/Client.php", self::WORDPRESS, 'guzzle/http', 'shop', 'wp-content/plugins/shop',
        ];
        yield 'plug-in that must be used' => [
            "$wp/mu-plugins/load.php", self::WORDPRESS, 'load (must-use)', 'load (must-use)', 'wp-content/mu-plugins',
        ];
        yield 'theme' => [
            "$wp/themes/blue/functions.php", self::WORDPRESS, 'blue (theme)', 'blue (theme)', 'wp-content/themes/blue',
        ];
        yield 'drop-in' => [
            "$wp/object-cache.php", self::WORDPRESS, 'object-cache.php (drop-in)', 'object-cache.php (drop-in)', 'wp-content',
        ];
        yield 'core' => ['/var/www/html/wp-includes/post.php', [], 'WordPress', 'WordPress', 'wp-includes'];
        yield 'core in the root' => ['/var/www/html/wp-load.php', self::WORDPRESS, 'WordPress', 'WordPress', '(top folder)'];
        yield 'Bedrock' => [
            '/srv/b/web/app/plugins/shop/shop.php', ['/srv/b/web/wp/wp-includes/post.php', '/srv/b/vendor/autoload.php'],
            'shop', 'shop', 'web/app',
        ];
        yield 'plug-in whose name is a number' => [
            "$wp/plugins/2024/a.php", self::WORDPRESS, '2024/', '2024/', 'wp-content/plugins/2024',
        ];
        yield 'contributed module' => [
            '/opt/drupal/web/modules/contrib/token/src/Token.php', self::DRUPAL, 'token', 'token', 'web/modules',
        ];
        yield 'module below a module' => [
            '/opt/drupal/web/modules/custom/shop/modules/tax/tax.module', self::DRUPAL, 'shop', 'shop', 'web/modules',
        ];
        yield 'module of the core' => [
            '/opt/drupal/web/core/modules/views/src/Views.php', self::DRUPAL, 'views', 'views', 'web/core',
        ];
        yield 'core of Drupal' => [
            '/opt/drupal/web/core/lib/Drupal/Core/Url.php', self::DRUPAL, 'Drupal core', 'Drupal core', 'web/core',
        ];
        yield 'module of a site' => ['/opt/drupal/web/sites/default/modules/x/x.module', self::DRUPAL, 'x', 'x', 'web/sites'];
        yield 'package' => [
            '/srv/app/vendor/symfony/http-kernel/Kernel.php', self::SYMFONY, 'symfony/http-kernel', 'symfony/http-kernel',
            'vendor/symfony/http-kernel',
        ];
        yield 'Composer' => [
            '/srv/app/vendor/composer/ClassLoader.php', self::SYMFONY, '(Composer)', '(Composer)', 'vendor/composer',
        ];
        yield 'package of Composer' => [
            '/srv/app/vendor/composer/ca-bundle/src/CaBundle.php', self::SYMFONY, 'composer/ca-bundle', 'composer/ca-bundle',
            'vendor/composer/ca-bundle',
        ];
        yield 'bundle of the application' => [
            '/srv/app/src/ShopBundle/Cart.php', self::SYMFONY, 'ShopBundle', 'ShopBundle', 'src/ShopBundle',
        ];
        yield 'application' => ['/srv/app/src/Controller/Home.php', self::SYMFONY, $app, $app, 'src/Controller'];
        yield 'another vendor folder' => [
            '/srv/app/libs/acme/tool/src/a.php', ['/srv/app/libs/composer/autoload_real.php', '/srv/app/public/index.php'],
            'acme/tool', 'acme/tool', 'libs/acme',
        ];
        yield 'code that eval() compiled' => [
            "/srv/app/vendor/twig/twig/src/Env.php(12) : eval()'d code", self::SYMFONY,
            'twig/twig', 'twig/twig', 'vendor/twig/twig',
        ];
        yield 'Windows' => [
            'C:\\inetpub\\shop\\vendor\\Acme\\tool\\a.php', ['C:\\inetpub\\shop\\index.php'],
            'acme/tool', 'acme/tool', 'vendor/Acme/tool',
        ];
        yield 'Magento, own code' => [
            '/m2/app/code/Acme/Tax/Model/Rate.php', ['/m2/vendor/autoload.php'], 'Acme_Tax', 'Acme_Tax', 'app/code/Acme',
        ];
        yield 'Magento, its modules' => [
            '/m2/vendor/magento/module-catalog-inventory/a.php', [], 'magento/module-catalog-inventory', 'Magento_CatalogInventory',
            'vendor/magento/module-catalog-inventory',
        ];
        yield 'Magento, generated' => [
            '/m2/generated/code/Acme/Tax/Interceptor.php', ['/m2/vendor/autoload.php'], 'Acme_Tax', 'Acme_Tax', 'generated/code',
        ];
        yield 'container' => ['/app/src/Shop/a.php', ['/app/index.php'], $app, $app, 'src/Shop'];
        yield 'sources alone' => ['/app/src/Shop/a.php', ['/app/src/Search/a.php'], $app, $app, 'src/Shop'];
        yield 'Laravel' => ['/var/www/html/app/Http/a.php', ['/var/www/html/app/Models/a.php'], $app, $app, 'app/Http'];
        yield 'home' => ['/home/app/shop/src/a.php', ['/home/app/shop/index.php'], $app, $app, 'src'];
        yield 'elsewhere' => ['/usr/share/php/Foo/Bar/a.php', self::SYMFONY, $app, $app, '/usr/share/php'];
        yield 'hostile' => [
            "$wp/plugins/<b>\x00\"'==>\n/a.php", self::WORDPRESS,
            "<b>\x00\"'==>\n", "<b>\x00\"'==>\n", "wp-content/plugins/<b>\x00\"'==>\n",
        ];
    }

    /** @param list<string> $others */
    #[DataProvider('files')]
    public function testFile(string $file, array $others, string $package, string $plugin, string $folder): void
    {
        self::assertSame(
            ['package' => $package, 'plugin' => $plugin, 'folder' => $folder],
            [
                'package' => self::group(GroupBy::Package, $file, $others),
                'plugin' => self::group(GroupBy::Plugin, $file, $others),
                'folder' => self::group(GroupBy::Folder, $file, $others),
            ],
        );
    }

    /** @return iterable<string, array{string, string}> */
    public static function names(): iterable
    {
        yield 'method' => ['App\Cart\Item\Price::of', 'App\Cart'];
        yield 'one level' => ['App\run', 'App'];
        yield 'no namespace' => ['wp_head', '(global)'];
        yield 'component' => ['Symfony\Component\HttpKernel\Kernel::boot', 'Symfony\Component\HttpKernel'];
        yield 'closure' => ['App\Cart\Item::{closure:/srv/app/src/Item.php:12}', 'App\Cart'];
        yield "PHP's name of a closure" => ['{closure:App\Cart\Item::add():12}', 'App\Cart'];
        yield 'closure in a closure' => ['{closure:{closure:App\Cart\f():3}:5}', 'App\Cart'];
    }

    #[DataProvider('names')]
    public function testNamespace(string $name, string $expected): void
    {
        self::assertSame([$expected], (new FunctionGroups(GroupBy::Namespace, [$name], CodePlaces::none(), null))->groups());
    }

    public function testCodeOutsideOfFunctionsIsOfTheNamespaceOfItsFile(): void
    {
        $file = '/srv/app/src/Cart.php';
        $names = ['App\Shop\Cart::add', 'run_init::src/Cart.php', 'load::src/Cart.php', 'strlen', 'main()'];
        $places = array_map(static fn (string $name): ?CodePlace => match ($name) {
            'strlen' => new CodePlace('ext:Core'),
            'main()' => null,
            default => new CodePlace($file),
        }, $names);
        $groups = new FunctionGroups(GroupBy::Namespace, $names, CodePlaces::fromPlaces($places), null);
        self::assertSame(['App\Shop', 'App\Shop', 'App\Shop', null, null], $groups->groups());
    }

    public function testFunctionsWithoutAFileBelongToThePackageOfTheirNamespace(): void
    {
        $names = ['Acme\Tool\A::a', 'Acme\Tool\Deep\B::b', 'Acme\Other\C::c', 'Foo\D::d', 'plain', 'Acme\Tool\Deep\Er\E::e'];
        $places = [
            new CodePlace('/srv/vendor/acme/tool/src/A.php'), null, new CodePlace('/srv/vendor/acme/other/src/C.php'),
            null, null, null,
        ];
        $groups = new FunctionGroups(GroupBy::Package, $names, CodePlaces::fromPlaces($places), null);
        // Two packages have the namespace Acme: it is no package's.
        self::assertSame(['acme/tool', 'acme/tool', 'acme/other', '(unknown)', '(unknown)', 'acme/tool'], $groups->groups());
        $without = new FunctionGroups(GroupBy::Package, ['Acme\X::x', 'strlen', 'DateTime::format'], CodePlaces::none(), null);
        self::assertSame(['(unknown)', null, null], $without->groups());
    }

    public function testOwnersAreThoseOfTheLongestBeginning(): void
    {
        $table = OwnerTable::parse(<<<'JSON'
            {
                "owners": {
                    "Platform": ["src/", "**/wp-includes"],
                    "Checkout": ["src/Cart", "App\\Checkout\\", "wp-content/plugins/shop-*/"],
                    "Search": ["/opt/search/"],
                    "Windows": ["C:\\app\\tools\\"]
                },
                "rest": "Somebody"
            }
            JSON, 'owners.json');
        $owner = static fn (string $name, ?string $file): string
            => $table->owner($name, $file, $file === null ? null : FilePath::below($file, '/srv/app'));
        foreach (
            [
            ['f', '/srv/app/src/Cart/Item.php', 'Checkout'],
            ['f', '/srv/app/src/Cartoon.php', 'Platform'],
            ['App\Checkout\Pay::now', '/srv/app/src/Pay.php', 'Checkout'],
            ['app\checkout\pay', null, 'Checkout'],
            ['{closure:App\Checkout\pay():3}', null, 'Checkout'],
            ['f', '/srv/app/wp-content/plugins/shop-eu/a.php', 'Checkout'],
            ['f', '/srv/app/wp-content/plugins/shop/a.php', 'Somebody'],
            ['f', '/srv/app/vendor/x/y/src/a.php', 'Somebody'],
            ['f', '/var/lib/x/wp-includes/a.php', 'Platform'],
            ['f', '/opt/search/a.php', 'Search'],
            ['f', 'C:/app/tools/a.php', 'Windows'],
            ['f', null, 'Somebody'],
            ] as [$name, $file, $expected]
        ) {
            self::assertSame($expected, $owner($name, $file), "$name $file");
        }
    }

    /** The folder of the application in the container is another one than that of the table. */
    public function testRootsOfTheTableCount(): void
    {
        $table = OwnerTable::parse('{"owners": {"Cart": ["Cart/"]}, "roots": ["/app/code/"]}', 'o.json');
        $places = CodePlaces::fromPlaces([new CodePlace('/app/code/Cart/a.php'), new CodePlace('/app/lib/b.php')]);
        self::assertSame(['Cart', '(no owner)'], (new FunctionGroups(GroupBy::Owner, ['a', 'b'], $places, $table))->groups());
    }

    /** @return iterable<string, array{string, string}> */
    public static function wrongTables(): iterable
    {
        yield 'key' => ["{\n\"owner\": {}}", 'o.json:2: there is no key "owner"; did you mean "owners"?'];
        yield 'unknown key' => ['{"owners": {}, "teams": 1}', 'o.json:1: there is no key "teams"; there are owners, roots, rest'];
        yield 'none' => ['{"rest": "x"}', 'o.json:1: the table has no "owners"; for example ' . OwnerTable::EXAMPLE];
        yield 'number' => ["{\"owners\": {\"A\": [\"x\",\n\n 3]}}", 'o.json:3: what "A" owns: entry 2 is no text, or empty'];
        yield 'text' => ['{"owners": {"A": "x"}}', 'o.json:1: what "A" owns is not a list ["..."]'];
        yield 'twice' => ["{\"owners\": {\"A\": [],\n\"A\": []}}", 'o.json:2: "A" is there twice'];
        yield 'open' => ["{\"owners\": {\n", 'o.json:2: a key in quotes is expected, not the end of the file'];
        yield 'no JSON' => ["owners:\n", 'o.json:1: a value is expected, not "o"'];
        yield 'list' => ['[]', 'o.json:1: the table of owners is not an object {...}'];
        yield 'nameless' => ["{\"owners\": {\n\" \": [\"x\"]}}", 'o.json:2: an owner has no name'];
        yield 'more' => ["{\"owners\": {}}\n}", 'o.json:2: the end is expected, not "}"'];
    }

    #[DataProvider('wrongTables')]
    public function testWhatIsWrongWithATableIsNamedWithItsLine(string $text, string $message): void
    {
        $this->expectException(InvalidJsonFile::class);
        $this->expectExceptionMessageMatches('/\A' . preg_quote($message, '/') . '\z/');
        OwnerTable::parse($text, 'o.json');
    }

    /** @param list<string> $others */
    private static function group(GroupBy $by, string $file, array $others): ?string
    {
        $files = [$file, ...$others];
        $names = array_map(static fn (int $at): string => "f$at", array_keys($files));
        $places = CodePlaces::fromPlaces(array_map(static fn (string $path): CodePlace => new CodePlace($path), $files));

        return (new FunctionGroups($by, $names, $places, null))->groups()[0];
    }
}

<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge\Shop;

use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\RedirectResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Attribute\AsController;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\Routing\Attribute\Route;

/** Pages of a shop: each calls functions of its own, by which its run is known. */
#[AsController]
final class Pages
{
    #[Route('/', name: 'home')]
    public function home(): Response
    {
        return self::page('Shop', self::prices(3) . '<p><a href="/product/7">Product</a></p>');
    }

    #[Route('/product/{id}', name: 'product')]
    public function product(int $id): Response
    {
        return self::page("Product $id", self::prices($id) . '<script>fetch("/stock")</script>');
    }

    #[Route('/stock', name: 'stock')]
    public function stock(): Response
    {
        return new JsonResponse(['stock' => self::count(5)]);
    }

    #[Route('/old', name: 'old')]
    public function old(): Response
    {
        self::count(4);

        return new RedirectResponse('/');
    }

    #[Route('/export', name: 'export')]
    public function export(): Response
    {
        return new StreamedResponse(static function (): void {
            for ($line = 0; $line < 3; $line++) {
                echo self::line($line);
            }
        }, 200, ['Content-Type' => 'text/csv']);
    }

    #[Route('/cart', name: 'cart')]
    public function cart(Request $request, HttpKernelInterface $kernel): Response
    {
        $inner = $request->duplicate(attributes: ['_controller' => [self::class, 'stock']]);

        return self::page('Cart', (string) $kernel->handle($inner, HttpKernelInterface::SUB_REQUEST)->getContent());
    }

    #[Route('/broken', name: 'broken')]
    public function broken(): Response
    {
        self::count(2);

        throw new \RuntimeException('The shop is broken');
    }

    #[Route('/leave', name: 'leave')]
    public function leave(): never
    {
        self::count(6);
        exit('left');
    }

    /** Files that were loaded of the bridge and of the library. */
    #[Route('/files', name: 'files')]
    public function files(): Response
    {
        return new JsonResponse(array_values(array_filter(
            get_included_files(),
            static fn (string $file): bool => str_contains($file, '/bridge/src/') || str_contains($file, '/xhprof_lib/'),
        )));
    }

    private static function prices(int $count): string
    {
        $text = '';
        for ($i = 0; $i < $count; $i++) {
            $text .= self::price($i) . ' ';
        }

        return "<p>$text</p>";
    }

    private static function price(int $i): string
    {
        return number_format($i * 1.5, 2);
    }

    private static function count(int $to): int
    {
        return count(array_map(static fn (int $n): int => $n * $n, range(1, $to)));
    }

    private static function line(int $line): string
    {
        return "$line;" . self::price($line) . "\n";
    }

    private static function page(string $title, string $body): Response
    {
        return new Response("<!DOCTYPE html><html lang=\"en\"><head><title>$title</title></head>"
            . "<body><h1>$title</h1>$body</body></html>");
    }
}

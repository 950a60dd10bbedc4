<?php

declare(strict_types=1);

namespace Shop;

/** The front controller. */
final class Application
{
    private readonly Router $router;

    public function __construct(private readonly string $data)
    {
        $this->router = new Router();
        $this->router->add('GET', '/', fn() => $this->page('products', ['products' => $this->products()->list(30)]));
        $this->router->add('GET', '/products/{id}', $this->product(...));
        $this->router->add('GET', '/search', fn() => $this->page('products', [
            'title' => 'Search',
            'products' => $this->products()->search((string) ($_GET['q'] ?? '')),
        ]));
        $this->router->add('GET', '/session', $this->session(...));
        $this->router->add('POST', '/upload', $this->upload(...));
        $this->router->add('GET', '/report.json', $this->report(...));
        $this->router->add('POST', '/comments', $this->comment(...));
        $this->router->add('GET', '/reviews', $this->reviews(...));
        $this->router->add('GET', '/bestsellers/{database}', $this->bestsellers(...));
        $this->router->add('GET', '/duplicates', $this->duplicates(...));
        $this->router->add('POST', '/checkout', $this->checkout(...));
        $endings = new Endings($data);
        $this->router->add('GET', '/ping', static fn() => print('pong'));
        $this->router->add('GET', '/exit', $endings->exit(...));
        $this->router->add('GET', '/error', $endings->error(...));
        $this->router->add('GET', '/memory', $endings->memory(...));
        $this->router->add('GET', '/time', $endings->time(...));
        $this->router->add('GET', '/finish', $endings->finish(...));
        $this->router->add('GET', '/slow', $endings->slow(...));
        $this->router->add('GET', '/busy', $endings->busy(...));
        $this->router->add('GET', '/stream', $endings->stream(...));
        $this->router->add('GET', '/own', $endings->own(...));
    }

    public function handle(string $method, string $uri): void
    {
        header('X-Worker: ' . getmypid());
        $found = $this->router->match($method, (string) parse_url($uri, PHP_URL_PATH));
        if ($found === null) {
            http_response_code(404);
            echo 'There is no such page.';
            return;
        }
        [$handler, $arguments] = $found;
        $handler(...$arguments);
    }

    private function products(): Products
    {
        return new Products("$this->data/shop.sqlite");
    }

    /** @param array<string, mixed> $values */
    private function page(string $template, array $values): void
    {
        echo Template::render($template, $values);
    }

    /** @param array<string, mixed> $value */
    private function json(array $value): void
    {
        header('Content-Type: application/json');
        echo json_encode($value, JSON_THROW_ON_ERROR);
    }

    private function product(string $id): void
    {
        $product = $this->products()->find((int) $id);
        if ($product === null) {
            http_response_code(404);
            $this->page('products', ['title' => 'No such product', 'products' => []]);
            return;
        }
        $words = array_unique(explode(' ', $product['description']));
        usort($words, static fn(string $a, string $b): int => strrev($a) <=> strrev($b));
        $this->page('product', ['title' => $product['name'], 'product' => $product, 'words' => $words]);
    }

    private function session(): void
    {
        session_start();
        $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
        $this->json(['visits' => $_SESSION['visits']]);
        session_write_close();
    }

    private function upload(): void
    {
        $file = $_FILES['file'];
        $this->json([
            'name' => $_POST['name'],
            'uploaded' => is_uploaded_file($file['tmp_name']),
            'size' => $file['size'],
            'digest' => sha1_file($file['tmp_name']),
        ]);
    }

    private function report(): void
    {
        [$count, $sum] = $this->products()->sum((int) ($_GET['from'] ?? 0));
        $this->json(['products' => $count, 'cents' => $sum]);
    }

    private function comment(): void
    {
        $this->products()->comment((int) $_POST['product'], (string) $_POST['text']);
        $this->json(['saved' => true]);
    }

    private function connections(): Connections
    {
        return new Connections("$this->data/shop.sqlite");
    }

    private function reviews(): void
    {
        $shelf = new Shelf($this->products(), new Reviews($this->connections()));
        $lines = ($_GET['by'] ?? '') === 'one-query' ? $shelf->listByOneQuery(150) : $shelf->list(150);
        $this->page('reviews', ['title' => 'Reviews', 'lines' => $lines]);
    }

    private function bestsellers(string $database): void
    {
        if (!in_array($database, Connections::names(), true)) {
            http_response_code(404);
            echo 'There is no such database.';
            return;
        }
        $this->json(['below' => (new Sales($this->connections()->open($database)))->bestsellers()]);
    }

    private function duplicates(): void
    {
        $this->json(['pairs' => Duplicates::of($this->products()->list(60))]);
    }

    private function checkout(): void
    {
        $carts = new Carts();
        $customer = (string) ($_POST['customer'] ?? 'guest');
        foreach (explode(',', (string) ($_POST['products'] ?? '1')) as $product) {
            $carts->add($customer, (int) $product);
        }
        $checkout = new Checkout($carts, new ProductCache($this->products()), new Sales($this->connections()->first('postgres')));
        $this->json($checkout->order($customer, (string) ($_POST['currency'] ?? 'EUR')));
    }
}

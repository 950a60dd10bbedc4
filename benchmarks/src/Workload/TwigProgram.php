<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

use Twig\Environment;
use Twig\Loader\FilesystemLoader;
use XHProf\Bench\GeneratedCode;

/** Twig renders a page of a shop: inheritance, blocks, macros, includes, nested loops and filters. */
final class TwigProgram implements Workload
{
    private readonly Environment $twig;

    /** @var list<array{name: string, products: list<array<string, mixed>>}> */
    private readonly array $groups;

    public function __construct()
    {
        require_once __DIR__ . '/../../../vendor/autoload.php';
        $this->twig = new Environment(new FilesystemLoader(__DIR__ . '/../../templates'), [
            'cache' => GeneratedCode::folder() . '/twig',
            'auto_reload' => true,
            'strict_variables' => true,
        ]);
        $groups = [];
        for ($group = 0; $group < 6; $group++) {
            $products = [];
            for ($i = 0; $i < 15; $i++) {
                $products[] = [
                    'name' => "product <$group-$i> & co",
                    'price' => 3.5 * $i + $group,
                    'tags' => ['new', 'sale', "tag-$i"],
                    'stock' => $i % 4,
                    'added' => 1_700_000_000 + $i * 86_400,
                ];
            }
            $groups[] = ['name' => "group $group", 'products' => $products];
        }
        $this->groups = $groups;
    }

    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            $this->twig->render('shop.html.twig', ['groups' => $this->groups, 'title' => 'All that there is']);
        }

        return 0;
    }
}

<?php

/**
 * A run in a few lines: see SummaryHtml.
 *
 * @var XHProf\Bridge\RunSummary $summary
 * @var Closure(mixed): string $text escapes
 * @var Closure(string, string): string $link address below the pages, label
 */

declare(strict_types=1);

$bar = $summary->bar;
?>
<div class="xhprof-summary">
<?php if ($summary->problem !== '') : ?>
<p class="xhprof-problem"><?= $text($summary->problem) ?></p>
<?php else : ?>
<p class="xhprof-title"><?= $text($summary->title) ?></p>
<dl class="xhprof-tiles">
    <?php foreach ($summary->tiles as $tile) : ?>
<div title="<?= $text($tile['exact']) ?>"><dt><?= $text($tile['label']) ?></dt><dd><?= $text($tile['text']) ?></dd></div>
    <?php endforeach ?>
</dl>
    <?php if ($bar !== null) : ?>
<h3><?= $text($bar['title']) ?></h3>
<svg class="xhprof-bar" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="<?= $text($bar['sentence']) ?>">
        <?php foreach ($bar['pieces'] as $piece) : ?>
<rect class="xhprof-t-<?= $text($piece['key']) ?>" x="<?= $text($piece['x']) ?>" width="<?= $text($piece['width']) ?>" height="1"/>
        <?php endforeach ?>
</svg>
<ul class="xhprof-legend">
        <?php foreach ($bar['pieces'] as $piece) : ?>
<li title="<?= $text($piece['exact'] . '. ' . $piece['meaning']) ?>"><svg class="xhprof-swatch" viewBox="0 0 1 1"
    aria-hidden="true"><rect class="xhprof-t-<?= $text($piece['key']) ?>" width="1" height="1"/></svg>
            <?= $text($piece['label']) ?> <strong><?= $text($piece['share']) ?></strong> <?= $text($piece['text']) ?></li>
        <?php endforeach ?>
</ul>
        <?php foreach ($bar['notes'] as $note) : ?>
<p class="xhprof-note"><?= $text($note) ?></p>
        <?php endforeach ?>
    <?php endif ?>
    <?php if ($summary->findings !== []) : ?>
<h3>What to look at first</h3>
<ul class="xhprof-findings">
        <?php foreach ($summary->findings as $found) : ?>
<li><strong><?= $text($found['text']) ?></strong><?= $found['between'] === '' ? '' : '; ' . $text($found['between']) ?>
            <?= $link($found['url'], $found['symbol']) ?>. <?= $text($found['why']) ?></li>
        <?php endforeach ?>
</ul>
    <?php endif ?>
<h3>First functions</h3>
<table class="xhprof-functions">
<thead><tr><th scope="col">Function</th>
    <?php foreach ($summary->heads as $head) : ?>
<th scope="col"><?= $text($head) ?></th>
    <?php endforeach ?>
</tr></thead>
<tbody>
    <?php foreach ($summary->functions as $row) : ?>
<tr><th scope="row"><?= $link($row['url'], $row['name']) ?></th>
        <?php foreach ($row['figures'] as $figure) : ?>
<td><?= $text($figure) ?></td>
        <?php endforeach ?>
</tr>
    <?php endforeach ?>
</tbody>
</table>
<p class="xhprof-links">
    <?php foreach ($summary->links as $view) : ?>
        <?= $link($view['url'], $view['label']) . "\n" ?>
    <?php endforeach ?>
</p>
<?php endif ?>
</div>

<?php

/**
 * The page with the button: see NextPage.
 *
 * @var Closure(mixed): string $text escapes
 * @var string $token of the form
 * @var string $back path that is proposed
 * @var bool $isWaiting whether this browser's next request will be recorded
 * @var string|null $problem sentence: why nothing can be recorded
 */

declare(strict_types=1);

?>
<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Profile the next request · XHProf</title>
    <link rel="icon" href="../assets/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="../assets/theme.css">
    <link rel="stylesheet" href="../assets/app.css">
    <link rel="stylesheet" href="../assets/tables.css">
    <link rel="stylesheet" href="../assets/views.css">
    <link rel="stylesheet" href="../assets/export.css">
    <link rel="stylesheet" href="../assets/print.css">
    <script type="module" src="../assets/js/app.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
    <a class="brand" href="../index">XHProf</a>
    <nav aria-label="Breadcrumb">
        <ol class="crumbs">
            <li><a href="../index">Runs</a></li><li><span aria-current="page">Profile the next request</span></li>
        </ol>
    </nav>
    <div class="tools" data-tools></div>
</header>
<main id="main">
<h1>Profile the next request</h1>
<?php if ($problem !== null) : ?>
<p class="warning" role="alert"><?= $text($problem) ?></p>
<?php else : ?>
    <?php if ($isWaiting) : ?>
<p role="status"><strong>The next page of this site that this browser opens will be recorded.</strong></p>
    <?php endif ?>
<p>Every call of that one request is recorded. Its run is then the first in the <a href="../index">list of runs</a>.</p>
<form class="import-form" method="post" action="next">
    <input type="hidden" name="<?= XHProf\Bridge\NextRequest::FIELD ?>" value="<?= $text($token) ?>">
    <label>Page to open now <input type="text" name="back" value="<?= $text($back) ?>" placeholder="/" pattern="/.*"
        maxlength="2000" autocomplete="off" spellcheck="false" aria-describedby="back-help"></label>
    <p class="hint" id="back-help">A path of this site, such as /orders?page=2. Empty: open it yourself, in the next minutes.</p>
    <p class="buttons"><button type="submit" class="strong">Profile the next request</button></p>
</form>
<?php endif ?>
</main>
</body>
</html>

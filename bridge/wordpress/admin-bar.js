/* Fills in what the admin bar shows of a run: see XHProf\Bridge\WordPress\AdminBar, which names the address `xhprofRun` before it. */
(() => {
    const bar = document.querySelector('#wp-admin-bar-xhprof');
    const item = bar?.querySelector('#wp-admin-bar-xhprof-run > .ab-item');
    /* A run is saved when its request has ended: that may be after the page is here. */
    const waits = [100, 300, 700, 1500, 3000, 5000];
    const show = (run) => {
        if (run.state === 'problem') {
            item.textContent = run.text;
            return;
        }
        const label = item.textContent.split(':')[0];
        bar.querySelector(':scope > .ab-item').textContent = `XHProf ${run.text}`;
        item.textContent = label;
        item.href = run.url;
        let last = item.parentElement;
        for (const found of run.findings) {
            const row = document.createElement('li');
            row.className = 'xhprof-finding';
            const link = document.createElement('a');
            link.className = 'ab-item';
            link.textContent = found.text;
            link.href = found.url;
            row.append(link);
            last.after(row);
            last = row;
        }
    };
    const ask = async () => {
        const answer = await fetch(xhprofRun, { credentials: 'same-origin', headers: { Accept: 'application/json' } });
        const run = answer.ok ? await answer.json() : { state: 'problem', text: 'The run cannot be read now.' };
        if (run.state !== 'none') {
            show(run);
        } else if (waits.length > 0) {
            setTimeout(ask, waits.shift());
        } else {
            item.textContent = 'The run of this page was not saved: the log of PHP has the reason.';
        }
    };
    if (item) {
        addEventListener('load', () => setTimeout(ask, waits.shift()));
    }
})();

/**
 * The retained tree: a line that is opened asks for its children, which are those of the page of that line. Without JavaScript
 * every line has a link to that page.
 */

/** @param {Element} tree */
export function retainedTree(tree) {
    // "toggle" does not bubble.
    tree.addEventListener('toggle', (event) => {
        const line = event.target;
        if (line instanceof HTMLDetailsElement && line.open && line.dataset.children !== undefined) {
            void fill(line, line.dataset.children);
        }
    }, { capture: true });
}

/**
 * @param {HTMLDetailsElement} line
 * @param {string} address of the page that has its children
 */
async function fill(line, address) {
    delete line.dataset.children;
    const list = line.querySelector(':scope > ul');
    line.setAttribute('aria-busy', 'true');
    try {
        const response = await fetch(address, { headers: { Accept: 'text/html' } });
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        const next = page.querySelector('[data-tree]');
        if (!response.ok || next === null || list === null) {
            throw new Error(`No tree in the answer (status ${response.status}).`);
        }
        // What is open there would be a second level that nobody asked for.
        next.querySelectorAll('details[open]').forEach((inner) => inner.removeAttribute('open'));
        const more = page.querySelector('a[rel="next"]');
        list.replaceChildren(...[...next.children].map((child) => document.importNode(child, true)));
        if (more !== null) {
            const item = document.createElement('li');
            item.className = 'more';
            const link = document.createElement('a');
            link.href = address;
            link.textContent = 'more';
            item.append(link);
            list.append(item);
        }
    } catch {
        // The link is still there, and the page it opens says why.
        line.dataset.children = address;
    } finally {
        line.removeAttribute('aria-busy');
    }
}

/** The menu of what can be sent to others: it closes like a menu, and copies Markdown instead of saving it. */
import { messageOf } from '../core/api.js';
import { copy } from '../core/copy.js';
import { onLink } from '../core/dom.js';

/** @param {Document} page */
function shareMenus(page) {
    const open = () => /** @type {HTMLDetailsElement[]} */ ([...page.querySelectorAll('details[data-menu][open]')]);
    page.addEventListener('click', (event) => {
        for (const menu of open()) {
            if (!(event.target instanceof Node && menu.querySelector('summary')?.contains(event.target))) {
                menu.open = false;
            }
        }
    });
    page.addEventListener('keydown', (event) => {
        const [menu] = event.key === 'Escape' ? open() : [];
        if (menu !== undefined) {
            menu.open = false;
            menu.querySelector('summary')?.focus();
            event.preventDefault();
        }
    });
    onLink(page, 'a[data-copy]', (link) => {
        const words = link.dataset.copy ?? '';
        fetch(/** @type {HTMLAnchorElement} */ (link).href).then(async (response) => {
            if (!response.ok) {
                throw new Error(await response.text());
            }
            await copy(await response.text(), words);
        }).catch((error) => link.after(` ${messageOf(error)}`));
    });
}

shareMenus(document);

/** A menu of what can be done with a thing of a view: opened by the right button, the menu key or Shift+F10. */
import { h } from './dom.js';

/**
 * @typedef {{label: string, key?: string, act: () => void} | {label: string, key?: string, url: string} | null} Item null: a line
 *     between groups; key: that does the same
 */

/** @type {(() => void) | null} closes the menu that is open */
let closeOpen = null;

/**
 * Opens a menu. It closes by a choice, Escape, Tab, a click elsewhere, or when the page scrolls or loses the focus; then the
 * focus is where it was before.
 *
 * @param {string} label
 * @param {Item[]} items
 * @param {{x: number, y: number}} at in the window
 */
export function openMenu(label, items, { x, y }) {
    closeOpen?.();
    const before = document.activeElement;
    const menu = h('div', { class: 'menu', role: 'menu', 'aria-label': label, tabindex: -1 });
    const close = (/** @type {boolean} */ isBack) => {
        closeOpen = null;
        menu.remove();
        window.removeEventListener('pointerdown', outside, true);
        window.removeEventListener('scroll', leave, true);
        window.removeEventListener('blur', leave);
        window.removeEventListener('resize', leave);
        if (isBack && before instanceof HTMLElement) {
            before.focus({ preventScroll: true });
        }
    };
    const leave = () => close(true);
    const outside = (/** @type {Event} */ event) => {
        if (!(event.target instanceof Node && menu.contains(event.target))) {
            close(false);
        }
    };
    menu.append(...items.map((item) => {
        if (item === null) {
            return h('div', { role: 'separator' });
        }
        const key = item.key === undefined ? null : h('kbd', { 'aria-hidden': 'true' }, item.key);
        const attributes = { role: 'menuitem', tabindex: -1 };
        const element = 'url' in item
            ? h('a', { ...attributes, href: item.url }, item.label, key)
            : h('button', { ...attributes, type: 'button' }, item.label, key);
        element.addEventListener('click', () => {
            close(true);
            if ('act' in item) {
                item.act();
            }
        });
        element.addEventListener('pointerenter', () => element.focus({ preventScroll: true }));

        return element;
    }));
    menu.addEventListener('contextmenu', (event) => event.preventDefault());
    menu.addEventListener('keydown', (event) => {
        const choices = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll('[role=menuitem]')]);
        const at = choices.findIndex((choice) => choice === document.activeElement);
        const to = /** @type {Record<string, number>} */ ({
            ArrowDown: (at + 1) % choices.length,
            ArrowUp: (Math.max(at, 0) + choices.length - 1) % choices.length,
            Home: 0,
            End: choices.length - 1,
        })[event.key];
        if (to !== undefined) {
            choices[to]?.focus({ preventScroll: true });
        } else if (event.key === 'Escape' || event.key === 'Tab') {
            close(true);
        } else if (event.key === ' ') {
            /** @type {HTMLElement} */ (document.activeElement)?.click();
        } else if (event.key === 'Enter') {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
    document.body.append(menu);
    const { offsetWidth: width, offsetHeight: height } = menu;
    menu.style.left = `${Math.max(4, Math.min(x, window.innerWidth - width - 4))}px`;
    menu.style.top = `${Math.max(4, y + height + 4 > window.innerHeight ? y - height : y)}px`;
    window.addEventListener('pointerdown', outside, true);
    window.addEventListener('scroll', leave, true);
    window.addEventListener('blur', leave);
    window.addEventListener('resize', leave);
    closeOpen = leave;
    /** @type {HTMLElement | null} */ (menu.querySelector('[role=menuitem]'))?.focus({ preventScroll: true });
}

/**
 * Enables the buttons of a pick form when enough boxes are ticked: data-needs="2" is exactly two,
 * "2+" two or more. data-picked on the hint counts runs picked before.
 *
 * @param {ParentNode} root
 */
export function pickers(root) {
    for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (root.querySelectorAll('form[data-picker]'))) {
        form.addEventListener('change', () => update(form));
        // After "back" the browser restores the ticks without an event.
        window.addEventListener('pageshow', () => update(form));
        update(form);
    }
}

/** @param {HTMLFormElement} form */
function update(form) {
    const hint = form.querySelector('[data-picked]');
    const before = hint instanceof HTMLElement ? Number(hint.dataset.picked) : 0;
    const picked = before + form.querySelectorAll('input[type=checkbox]:checked').length;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll('button[data-needs]'))) {
        const needs = button.dataset.needs ?? '';
        const count = Number.parseInt(needs, 10);
        button.disabled = !(needs.endsWith('+') ? picked >= count : picked === count);
    }
    if (hint instanceof HTMLElement) {
        hint.dataset.help ??= hint.textContent ?? '';
        hint.textContent = picked === 0 ? hint.dataset.help : `${picked} picked`;
    }
}

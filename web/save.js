// save.js: gives the person a file.
import {say} from './state.js';
import {make} from './paint.js';

/* content: bytes or text. */
export function saveFile(fileName, content) {
    const link = make('a', {href: URL.createObjectURL(new Blob([content])), download: fileName});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`${fileName} saved`);
}

import { createFormats } from './format';

export const format = createFormats('de');

import { version } from '../../package.json';

/** The product's version, as it was when the server was built. */
export const VERSION: string = version;

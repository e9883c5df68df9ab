import { version } from '../../package.json';

/** The product's version at the time of the build. */
export const VERSION: string = version;

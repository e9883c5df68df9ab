import packageJson from '../package.json' with { type: 'json' };

/** The product's version, as it was when the server was built. */
export const VERSION: string = packageJson.version;

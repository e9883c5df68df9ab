import { defaultSettings, serverConfig, type Config } from '../config';
import { sitePolicyOf, type SitePolicy } from '../host/site-policy';

/** The policy of a server that was started with these settings alone. */
export const fakeSites = (changes: Partial<Config> = {}): SitePolicy =>
  sitePolicyOf({ ...serverConfig(defaultSettings()), ...changes });

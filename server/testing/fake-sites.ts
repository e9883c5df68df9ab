import { defaultSettings, serverConfig, type Config } from '../cli/config';
import { sitePolicyOf, type SitePolicy } from '../http/site-policy';

/** The site policy of a server that was started with only these settings. */
export const fakeSites = (changes: Partial<Config> = {}): SitePolicy =>
  sitePolicyOf({ ...serverConfig(defaultSettings()), ...changes });

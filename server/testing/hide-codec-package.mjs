/** Preloaded with `--import`, hides the optional codec package from a process, as if it were not installed. */
import { register } from 'node:module';

const hooks = `
export const resolve = (specifier, context, next) => {
  if (!specifier.startsWith('@napi-rs/webcodecs')) return next(specifier, context);
  throw Object.assign(new Error('hidden'), { code: 'ERR_MODULE_NOT_FOUND' });
};`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

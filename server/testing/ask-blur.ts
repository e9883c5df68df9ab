import { RAMP_JPEG } from '#shared/testing/ramp-images';

/** Asks a blur service of Panoramax to hide what a small image shows. */
export const askBlur = (
  origin: string,
  headers: Readonly<Record<string, string>>,
  { part = 'picture', query = '' } = {},
): Promise<Response> => {
  const body = new FormData();
  body.set(part, new Blob([RAMP_JPEG as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }), 'picture.jpg');
  return fetch(`${origin}/blur/${query}`, { method: 'POST', body, headers });
};

/** A token as the password of an address, which is all that Panoramax can send. */
export const asPassword = (token: string): string =>
  `Basic ${Buffer.from(`panoramax:${token}`).toString('base64')}`;

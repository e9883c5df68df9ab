const DIGEST = /^sha256:[\da-f]{64}$/;

/**
 * Names the base image of a Dockerfile by its content: a tag such as `node:24-slim` is another image next week.
 *
 * @param digest of the image, for example from `docker buildx imagetools inspect`
 * @throws Error if it is not a digest
 */
export const pinBase = (dockerfile: string, digest: string): string => {
  if (!DIGEST.test(digest)) throw new Error(`${digest} is no digest: sha256: and 64 hexadecimal digits.`);
  return dockerfile.replaceAll(/^FROM (\S+)/gm, (_, image: string) => `FROM ${image}@${digest}`);
};
